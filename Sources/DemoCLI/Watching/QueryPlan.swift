internal import CommandLineSupport
internal import Storage

/// The statement of a watched query, with how its rows are identified.
struct QueryPlan {
  let sql: String
  var arguments: StatementArguments = []
  /// The number of columns at the end that are only read as the key of a row.
  var keyCount = 0
  /// Whether a value of a key can be NULL. Such a key identifies no row: several rows can have it.
  var keyCanBeNull = true
  /// The names of shown columns that identify a row.
  var keyNames: [String]?
  /// The names of a table's primary key.
  var primaryKey: [String] = []
  /// The same statement with the columns of the natural order at its end; `nil` if a part of the
  /// result can only be found by counting rows.
  var ranges: Ranges?

  /// A statement whose parts are found by the keys of their rows.
  struct Ranges {
    let sql: String
    /// The number of columns of the order, all of them ascending.
    let count: Int
    /// Whether the rows are in the order of their row ids.
    let isByRowID: Bool
    /// Whether the result has all rows of its table.
    let hasAllRows: Bool
  }

  /// The SQL that parts are read from, without the semicolon at its end.
  var trimmedSQL: String {
    var sql = Substring(ranges?.sql ?? sql)
    while let last = sql.last, last.isWhitespace || last == ";" { sql.removeLast() }
    return String(sql)
  }

  /// Returns the indexes of the shown columns that a reader knows a row by.
  func headColumns(_ columns: [String]) -> [Int] {
    (keyNames ?? primaryKey).compactMap { name in
      columns.firstIndex { $0.lowercased() == name.lowercased() }
    }.sorted()
  }

  /// Whether the rows come from a table with row ids.
  var hasRowIDs: Bool { ranges?.isByRowID == true }

  /// Whether rows have keys. Otherwise, the whole row identifies it.
  var identifiesRows: Bool { keyNames != nil || keyCount > 0 || hasRowIDs }

  /// Fetches all rows, and shares unchanged rows with an earlier result.
  ///
  /// - Throws: `DatabaseError`, or ``ToolError`` if the statement cannot be watched.
  func fetch(_ db: Database, sharing previous: WatchedResult? = nil) throws -> WatchedResult {
    let statement = try db.cachedStatement(sql: sql)
    try WatchedQuery.check(statement)
    let cursor = try Row.fetchCursor(statement, arguments: arguments)
    var builder: ResultBuilder?
    while let row = try cursor.next() {
      if builder == nil { builder = ResultBuilder(sharing: previous, columnCount: row.count) }
      builder!.append(row)
    }
    // Read the column names last: the first step recompiles the statement if the schema has
    // changed.
    return try result(columns: statement.columnNames, rows: builder?.rows ?? [])
  }

  /// Fetches all rows in one call, whose result an observation can patch.
  ///
  /// - Throws: `DatabaseError`, or ``ToolError`` if the statement cannot be watched.
  func fetchAtOnce(_ db: Database) throws -> WatchedResult {
    let statement = try db.cachedStatement(sql: sql)
    try WatchedQuery.check(statement)
    let rows = try WatchedRow.fetchAll(statement, arguments: arguments)
    // A statement that has not run may still have the column names of another schema.
    return try result(columns: db.makeStatement(sql: sql).columnNames, rows: rows)
  }

  /// Returns the result of rows that the statement has returned.
  ///
  /// - Throws: ``ToolError`` when a column of the key does not exist.
  func result(columns: [String], rows: [WatchedRow]) throws -> WatchedResult {
    let shown = Array(columns.dropLast(keyCount))
    if let keyNames {
      var result = WatchedResult(columns: shown, rows: rows)
      try result.setKey(keyNames)
      return result
    }
    let hasNullKey =
      keyCount > 0 && keyCanBeNull
      && rows.contains { $0.cells.suffix(keyCount).contains { $0.isNull } }
    let hasKey = keyCount > 0 && !hasNullKey
    return WatchedResult(
      columns: shown,
      rows: rows,
      key: hasKey ? .appended(count: keyCount) : .wholeRow
    )
  }
}
