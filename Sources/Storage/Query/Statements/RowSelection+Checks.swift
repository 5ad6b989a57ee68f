// Requests whose rows are not rows of a table. An UPDATE or a DELETE cannot express them, and would
// change other rows instead.

extension SelectStatement {
  /// Throws when the rows of the request are not rows of the request's table, one by one.
  func checkRowsAreOfTable(_ db: Database) throws {
    let name = from.table.tableName
    let with = try joiningAssociations().clauses.with
    guard from.table.recordTableName != nil, !with.tables.contains(where: { $0.isNamed(name) })
    else {
      throw Self.misuse(
        """
        the rows of a common table expression cannot be changed: change those of a table, and select \
        them by a condition such as filter { ids.contains($0.id) }
        """
      )
    }
    let groups = try group.expressions.connected(db)
    guard try groups.isEmpty || identify(groups, db) else {
      throw Self.misuse(
        """
        the request groups the rows of \(name), and a group has no row of its own that could be \
        changed: remove group(_:), or select the rows by a condition
        """
      )
    }
    guard !groups.isEmpty || !hasConditionsOnGroups else {
      throw Self.misuse(
        """
        the request has a condition on groups of rows of \(name), which selects no rows that could \
        be changed: use filter(_:) instead of having(_:)
        """
      )
    }
    guard !groups.isEmpty || !select.selection.contains(where: \.mergesRows) else {
      throw Self.misuse(
        """
        the request selects an aggregate of all rows of \(name), which is not a row that could be \
        changed: remove it from the selection
        """
      )
    }
    guard try !select.isDistinct || selectsKey(db) else {
      throw Self.misuse(
        """
        the request selects distinct rows without the primary key of \(name), so that several rows \
        may be one of them: remove distinct(), or select the primary key too
        """
      )
    }
  }

  /// Throws when the request shows associated rows, which a changing statement cannot return.
  func checkSelectsOneTable() throws {
    guard let node = associations.first(where: \.isShown) else { return }
    throw Self.misuse(
      """
      a statement that changes rows of \(from.table.tableName) returns columns of this table only, \
      and not \(node.key): use joining(required:) or joining(optional:) instead of including, or \
      fetch the rows by another request
      """
    )
  }

  private static func misuse(_ message: String) -> DatabaseError {
    DatabaseError(resultCode: .SQLITE_MISUSE, message: message)
  }

  /// Whether each group has one row of the table: the expressions contain the columns that identify
  /// a row.
  private func identify(_ groups: [ExpressionNode], _ db: Database) throws -> Bool {
    if groups.contains(where: { $0.part is PrimaryKeyColumns || $0.part is AggregatedRow }) {
      return true
    }
    return try containKey(groups.map { $0.column(of: from.table) }, db)
  }

  private func selectsKey(_ db: Database) throws -> Bool {
    let selection = try select.selection.connected(db)
    let columns = try selection.flatMap { selection -> [String?] in
      try selection.columns(of: from.table, db)
    }
    return try containKey(columns, db)
  }

  private func containKey(_ columns: [String?], _ db: Database) throws -> Bool {
    let key = try RowSelection(self, returning: []).keyColumns(db)
    let isHidden = try db.primaryKey(from.table.tableName).isRowID
    let names = Set(columns.compactMap(\.self).map(\.asciiLowercased))
    return key.allSatisfy { names.contains($0.asciiLowercased) }
      || isHidden && !names.isDisjoint(with: RowIDName.all)
  }
}

extension CommonTable {
  fileprivate func isNamed(_ other: String) -> Bool {
    name.asciiLowercased == other.asciiLowercased
  }
}

extension AssociationNode {
  /// Whether the rows of the request show the associated rows, or the rows of further associations.
  fileprivate var isShown: Bool {
    role == .prefetched || selection != .none || statement.associations.contains(where: \.isShown)
  }
}

extension ExpressionNode {
  /// The name of the column, if the expression is a column of the request's table.
  fileprivate func column(of table: TableReference) -> String? {
    if let owned = part as? OwnedExpression {
      let isOwn =
        owned.table.tableName == table.tableName
        && (owned.table.identities.isEmpty
          || owned.table.identities.contains { alias in
            table.identities.contains { $0.isSame(as: alias) }
          })
      return isOwn ? owned.expression.column(of: table) : nil
    }
    return (part as? ColumnReference)?.name
  }
}

extension SQLSelection {
  /// The names of the selected columns of the request's table.
  fileprivate func columns(of table: TableReference, _ db: Database) throws -> [String?] {
    switch kind {
    case .expression(let expression):
      if expression.part is PrimaryKeyColumns { return try db.primaryKey(table.tableName).columns }
      return [expression.column(of: table)]
    case .alias(let expression, _):
      return [expression.column(of: table)]
    case .allColumns:
      return try table.columnNames(db)
    case .allColumnsExcluding(let excluded):
      let excluded = Set(excluded.map(\.asciiLowercased))
      return try table.columnNames(db).filter { !excluded.contains($0.asciiLowercased) }
    case .owned(let selection, let owner):
      return owner.tableName == table.tableName ? try selection.columns(of: table, db) : []
    case .literal, .connected:
      return []
    }
  }

  /// Whether the selection certainly makes one row of all rows. SQL may, but need not.
  fileprivate var mergesRows: Bool {
    switch kind {
    case .expression(let expression), .alias(let expression, _): expression.mergesRows
    case .owned(let selection, _): selection.mergesRows
    case .literal, .connected, .allColumns, .allColumnsExcluding: false
    }
  }
}

extension ExpressionNode {
  fileprivate var mergesRows: Bool {
    // The aggregate of an association has a value for each row.
    if part is AssociationAggregateCall { return false }
    if let call = part as? FunctionCall, call.isAggregateFunction, call.window == nil {
      return true
    }
    return part.operands.contains(where: \.mergesRows)
  }
}
