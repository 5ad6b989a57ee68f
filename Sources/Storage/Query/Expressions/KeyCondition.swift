/// Whether a row has one of several keys, whose columns the schema tells when the statement is
/// written: `"id" = 1`, `"id" IN (1, 2)`, `("playerID" = 1) AND ("countryCode" = 'FR')`.
struct KeyCondition: ExpressionPart {
  enum Keys: Hashable {
    /// Values of a primary key of one column.
    case primary([DatabaseValue])
    /// Values of the columns of a primary key or of a unique index.
    case unique([[String: DatabaseValue]])
  }

  let keys: Keys

  /// Whether at most one row has the key.
  var isSingle: Bool {
    switch keys {
    case .primary(let values): values.count == 1
    case .unique(let keys): keys.count == 1
    }
  }

  func write(to context: inout SQLContext) throws {
    guard let db = context.db else { return try schemalessCondition.node.write(to: &context) }
    let table = try context.keyedTable
    try condition(db.tableInfo(table.tableName), table.tableName).node.write(to: &context)
  }

  /// The condition, for people.
  private var schemalessCondition: SQLExpression {
    switch keys {
    case .primary(let values):
      let key = SQLExpression(PrimaryKeyColumns())
      return values.count == 1 ? key == values[0] : values.contains(key)
    case .unique(let keys):
      return .chain(
        .or,
        keys.map { key in
          let columns = key.sorted { $0.key < $1.key }
          return SQLExpression.chain(.and, columns.map { (Column($0.key) == $0.value).node }).node
        }
      )
    }
  }

  private func condition(_ table: TableInfo, _ name: String) throws -> SQLExpression {
    switch keys {
    case .primary(let values):
      let columns = table.primaryKey.columns
      guard columns.count == 1 else {
        throw DatabaseError(
          resultCode: .SQLITE_MISUSE,
          message: """
            the primary key of \(name) has several columns: give a key with the values of \
            \(columns.joined(separator: ", "))
            """
        )
      }
      let column = Column(columns[0])
      return values.count == 1 ? column == values[0] : values.contains(column)
    case .unique(let keys):
      return .chain(.or, try keys.map { try condition($0, table, name).node })
    }
  }

  private func condition(
    _ key: [String: DatabaseValue],
    _ table: TableInfo,
    _ name: String
  ) throws -> SQLExpression {
    guard table.isUniqueKey(key.keys) else {
      throw DatabaseError(
        resultCode: .SQLITE_MISUSE,
        message: """
          the table \(name) has no primary key and no unique index on \
          \(key.keys.sorted().joined(separator: ", "))
          """
      )
    }
    // In the order of the table, so that equal keys give equal SQL.
    let order = table.columns.map(\.name.asciiLowercased)
    let columns = key.sorted { left, right in
      let places = [left, right].map { order.firstIndex(of: $0.key.asciiLowercased) ?? -1 }
      return places[0] < places[1]
    }
    return .chain(
      .and,
      columns.map { (Column(table.columnName($0.key) ?? $0.key) == $0.value).node }
    )
  }
}

/// The columns of the primary key, one by one: `"id"`.
struct PrimaryKeyColumns: ExpressionPart {
  var isOperand: Bool { true }

  func write(to context: inout SQLContext) throws {
    guard let db = context.db else { return context.append("<primary key>") }
    let table = try context.keyedTable
    for (index, column) in try db.primaryKey(table.tableName).columns.enumerated() {
      if index > 0 { context.append(", ") }
      try context.append(column: column)
    }
  }
}

extension SQLContext {
  /// The table whose key is meant.
  fileprivate var keyedTable: TableReference {
    get throws {
      guard let mainTable else {
        throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "a key belongs to no table")
      }
      return mainTable
    }
  }
}
