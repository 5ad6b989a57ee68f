/// The order of a request's pages: that of the request, completed by the primary key, so that no
/// two rows have the same position.
struct PageOrder {
  let terms: [PageTerm]
  /// The order as terms of `ORDER BY`.
  let orderings: [SQLOrdering]
  /// Identifies the order.
  let fingerprint: UInt32

  init(_ statement: SelectStatement, _ db: Database) throws {
    let reference = statement.from.table
    let table = try db.tableInfo(reference.tableName)
    guard table.kind == .table || table.kind == .shadow else {
      throw Self.misuse("the rows of \(reference.tableName) have no key that tells them apart")
    }
    var terms: [PageTerm] = []
    for ordering in try statement.order.terms(of: reference, db) {
      terms += try Self.terms(of: ordering, in: table)
    }
    let ordered = Set(terms.compactMap { $0.expression.column?.asciiLowercased })
    // The key continues in the direction of the last term, in which an index can serve both.
    let isDescending = terms.last?.isAscending == false
    let direction: SQLOrdering.Direction = isDescending ? .descending : .unstated
    for column in table.distinguishingColumns where !ordered.contains(column.asciiLowercased) {
      terms.append(Self.term(Column(column).sqlExpression, direction, in: table))
    }
    self.terms = terms
    let orderings = terms.map { SQLOrdering(.term($0.expression.node, $0.direction)) }
    self.orderings = orderings
    var context = SQLContext(db, values: .literal)
    try context.with(tables: [reference]) {
      try OrderByClause(terms: orderings).write(list: &$0)
    }
    fingerprint = Self.hash(context.sql)
  }

  private static func terms(of ordering: SQLOrdering, in table: TableInfo) throws -> [PageTerm] {
    switch ordering.kind {
    case .term(let node, let direction):
      return [term(SQLExpression(node), direction, in: table)]
    case .owned(let ordering, let owner):
      return try terms(of: ordering, in: table).map { term in
        let owned = OwnedExpression(expression: term.expression.node, table: owner)
        return PageTerm(
          expression: SQLExpression(owned),
          direction: term.direction,
          isNotNull: term.isNotNull
        )
      }
    case .literal, .list:
      throw misuse(
        """
        the order is written in SQL, so that its columns are unknown: give its expressions as \
        SQL("…").sqlExpression
        """
      )
    }
  }

  private static func term(
    _ expression: SQLExpression,
    _ direction: SQLOrdering.Direction,
    in table: TableInfo
  ) -> PageTerm {
    let inner = (expression.node.part as? Collated)?.expression.sqlExpression ?? expression
    let isNotNull = inner.column.map(table.isNeverNull) ?? false
    return PageTerm(expression: expression, direction: direction, isNotNull: isNotNull)
  }

  static func misuse(_ message: String) -> DatabaseError {
    DatabaseError(resultCode: .SQLITE_MISUSE, message: "the page cannot be fetched: \(message)")
  }

  /// The FNV-1a hash of a text, which is the same in each process.
  private static func hash(_ text: String) -> UInt32 {
    text.utf8.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
  }
}

extension SQLExpression {
  /// The name of the column, if the expression is a plain column.
  fileprivate var column: String? {
    if let owned = node.part as? OwnedExpression { return SQLExpression(owned.expression).column }
    return (node.part as? ColumnReference)?.name
  }
}

extension TableInfo {
  /// The columns of the primary key, with the row id if the key may contain NULL, which SQLite
  /// allows several times: https://www.sqlite.org/lang_createtable.html#the_primary_key
  var distinguishingColumns: [String] {
    if primaryKey.isHidden { return rowIDName.map { [$0] } ?? primaryKey.columns }
    let isUnique = primaryKey.columns.allSatisfy(isNeverNull)
    return primaryKey.columns + (isUnique ? [] : rowIDName.map { [$0] } ?? [])
  }

  /// Returns whether a column is never NULL.
  fileprivate func isNeverNull(_ name: String) -> Bool {
    guard let column = columns.first(where: { $0.is(name) }) else {
      // The hidden row id. Any other name is an error, which SQLite reports.
      return true
    }
    return column.isNotNull || primaryKey.rowIDColumn.map(column.is) == true
      || !primaryKey.tableHasRowID && column.primaryKeyIndex > 0
  }
}
