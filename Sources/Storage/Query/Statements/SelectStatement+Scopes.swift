extension SelectStatement {
  /// Returns the adapter that splits the rows of a join: each table is a scope, and the row itself
  /// shows the first table. The scope of an association lies inside the scope of the table that
  /// has the association.
  func scopes(of statement: Statement, _ db: Database) throws -> (any RowAdapter)? {
    let joins = from.flatJoins.filter { !$0.selection.isEmpty }
    guard !joins.isEmpty || !select.hidden.isEmpty else { return nil }
    let counts = try joins.map { join in
      try join.selection.reduce(0) { try $0 + $1.columnCount(join.table, db) }
    }
    var start = statement.columnNames.count - select.hidden.count - counts.reduce(0, +)
    var root = Scope(columns: 0..<start, tableName: from.table.recordTableName)
    // A join that is written out names its tables. An association needs no scope for the first one.
    if joins.contains(where: \.isExplicit) { root.add([from.table.name], 0..<start, from.table) }
    for (join, count) in zip(joins, counts) {
      root.add(join.scope, start..<start + count, join.table)
      start += count
    }
    return root.adapter
  }
}

/// A part of the columns of a row, and the parts that are scopes of it.
private struct Scope {
  var columns: Range<Int>?
  var tableName: String?
  var scopes: [String: Scope] = [:]

  /// Adds the columns of a table, as the scope that the names lead to.
  mutating func add(
    _ path: some Collection<String>,
    _ columns: Range<Int>,
    _ table: TableReference
  ) {
    guard let name = path.first else {
      self.columns = columns
      return tableName = table.recordTableName
    }
    scopes[name, default: Scope()].add(path.dropFirst(), columns, table)
  }

  var adapter: any RowAdapter {
    let base: any RowAdapter = columns.map { RangeRowAdapter($0) } ?? EmptyRowAdapter()
    return TableRowAdapter(
      tableName: tableName,
      adapter: base.addingScopes(scopes.mapValues(\.adapter))
    )
  }
}

/// A row adapter that says whose columns a row shows.
private struct TableRowAdapter: RowAdapter {
  let tableName: String?
  let adapter: any RowAdapter

  func layout(adapting base: AdaptedRowLayout) throws -> AdaptedRowLayout {
    var layout = try adapter.layout(adapting: base)
    layout.tableName = tableName
    return layout
  }
}

extension SQLSelection {
  /// Returns the number of selected columns of a joined table.
  func columnCount(_ table: TableReference, _ db: Database) throws -> Int {
    switch kind {
    case .expression(let expression):
      guard expression.part is PrimaryKeyColumns else { return 1 }
      return try db.primaryKey(table.tableName).columns.count
    case .alias:
      return 1
    case .owned(let selection, _):
      return try selection.columnCount(table, db)
    case .allColumns:
      return try table.columnNames(db).count
    case .allColumnsExcluding(let excluded):
      let excluded = Set(excluded.map(\.asciiLowercased))
      return try table.columnNames(db).count { !excluded.contains($0.asciiLowercased) }
    case .connected(let part):
      return try part.content(db).reduce(0) { try $0 + $1.columnCount(table, db) }
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
