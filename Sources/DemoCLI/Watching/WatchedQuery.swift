internal import Storage

/// What to watch.
enum WatchedQuery: Equatable, Sendable {
  /// All rows of a table or a view.
  case table(String)
  /// The result of one statement that only reads.
  case sql(String)

  /// The query in one line.
  var title: String {
    switch self {
    case .table(let name): name
    case .sql(let sql): sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
  }

  /// Fetches the result. Rows, columns and keys are of one moment.
  ///
  /// - Throws: `DatabaseError`, or ``ToolError`` when there is no such table, or when the statement
  ///   cannot be watched.
  func fetch(_ db: Database) throws -> WatchedResult {
    switch self {
    case .table(let name):
      try WatchedTable(name: name).fetch(db)
    case .sql(let sql):
      try Self.fetch(db, sql: sql)
    }
  }

  /// Fetches the rows of a statement that must be one that reads.
  static func fetch(_ db: Database, sql: String) throws -> WatchedResult {
    let statement = try db.cachedStatement(sql: sql)
    guard statement.isReadonly else {
      throw ToolError("the statement writes: only one that reads can be watched")
    }
    guard !statement.columnNames.isEmpty else {
      throw ToolError("the statement gives no rows: only one that does can be watched")
    }
    let cursor = try Row.fetchCursor(statement, arguments: [])
    var rows: [[DatabaseValue]] = []
    while let row = try cursor.next() { rows.append(row.databaseValues) }
    // Not earlier: the first step compiles the statement anew when the schema has changed.
    return WatchedResult(columns: statement.columnNames, rows: rows)
  }
}
