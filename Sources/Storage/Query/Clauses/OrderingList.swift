/// Terms of `ORDER BY` that are known when a request is written.
enum OrderingList: Hashable, Sendable {
  /// The columns of the primary key.
  case primaryKey
  /// Columns whose values no two rows have in common: the primary key, or all columns of a view.
  case distinguishingColumns
  /// The terms that a closure makes.
  case connected(ConnectedPart<[SQLOrdering]>)

  /// Returns the terms for a table.
  func terms(of table: TableReference, _ db: Database) throws -> [SQLOrdering] {
    switch self {
    case .primaryKey:
      try db.primaryKey(table.tableName).columns.map { Column($0).sqlOrdering }
    case .distinguishingColumns:
      try table.distinguishingColumns(db).map { Column($0).sqlOrdering }
    case .connected(let part):
      try part.content(db)
    }
  }

  /// What stands for the terms without a connection.
  var draft: String {
    switch self {
    case .primaryKey, .distinguishingColumns: "<primary key>"
    case .connected: "<when connected>"
    }
  }
}

extension TableReference {
  /// The columns whose values distinguish the rows.
  fileprivate func distinguishingColumns(_ db: Database) throws -> [String] {
    guard recordTableName != nil else { return try columnNames(db) }
    let table = try db.tableInfo(tableName)
    guard table.kind == .view, table.primaryKey.isHidden else { return table.distinguishingColumns }
    return table.columns.map(\.name)
  }
}

extension SelectStatement {
  /// Completes the order of the rows, and of those of associated tables.
  mutating func makeOrderStable() {
    order.terms.append(SQLOrdering(.list(.distinguishingColumns)))
    for index in associations.indices { associations[index].statement.makeOrderStable() }
  }
}
