extension SelectStatement {
  /// Returns the adapter that splits the rows of a join: each table is a scope, and the row itself
  /// shows the first table.
  func scopes(of statement: Statement, _ db: Database) throws -> (any RowAdapter)? {
    let joins = from.joins.filter { !$0.selection.isEmpty }
    guard !joins.isEmpty else { return nil }
    let counts = try joins.map { join in
      try join.selection.reduce(0) { try $0 + $1.columnCount(join.table, db) }
    }
    var start = statement.columnNames.count - counts.reduce(0, +)
    let own = RangeRowAdapter(0..<start)
    var scopes: [String: any RowAdapter] = [from.table.name: own]
    for (join, count) in zip(joins, counts) {
      scopes[join.table.name] = RangeRowAdapter(start..<start + count)
      start += count
    }
    return ScopeAdapter(base: own, scopes: scopes)
  }
}

extension SQLSelection {
  /// Returns the number of selected columns of a joined table.
  fileprivate func columnCount(_ table: TableReference, _ db: Database) throws -> Int {
    switch kind {
    case .expression, .alias:
      return 1
    case .owned(let selection, _):
      return try selection.columnCount(table, db)
    case .allColumns:
      return try table.columnNames(db).count
    case .allColumnsExcluding(let excluded):
      let excluded = Set(excluded.map(\.asciiLowercased))
      return try table.columnNames(db).count { !excluded.contains($0.asciiLowercased) }
    case .literal:
      throw DatabaseError(
        resultCode: .SQLITE_MISUSE,
        message: """
          the columns of \(table.name) are selected in SQL, so that their number is unknown: \
          select them one by one
          """
      )
    }
  }
}
