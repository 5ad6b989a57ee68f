internal import Storage

/// The query to watch.
enum WatchedQuery: Equatable, Sendable {
  /// All rows of a table or a view.
  case table(String)
  /// The result of one statement that only reads.
  case sql(String)

  /// The query on one line.
  var title: String {
    switch self {
    case .table(let name): name
    case .sql(let sql): sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
  }

  /// Fetches the result. Rows, columns and keys are from one state of the database.
  ///
  /// - Throws: `DatabaseError`, or ``ToolError`` if the table does not exist or the statement
  ///   cannot be watched.
  func fetch(_ db: Database) throws -> WatchedResult {
    switch self {
    case .table(let name):
      try WatchedTable(name: name).fetch(db)
    case .sql(let sql):
      try Self.fetch(db, sql: sql)
    }
  }

  /// Fetches the rows of a statement, which must be read-only.
  static func fetch(_ db: Database, sql: String) throws -> WatchedResult {
    let statement = try db.cachedStatement(sql: sql)
    guard statement.isReadonly else {
      throw ToolError("the statement writes: only a statement that reads can be watched")
    }
    guard !statement.columnNames.isEmpty else {
      throw ToolError("the statement returns no rows: only a statement that does can be watched")
    }
    let cursor = try Row.fetchCursor(statement, arguments: [])
    var rows: [[DatabaseValue]] = []
    while let row = try cursor.next() { rows.append(row.databaseValues) }
    // Read the column names last: the first step recompiles the statement if the schema has
    // changed.
    return WatchedResult(columns: statement.columnNames, rows: rows)
  }
}
