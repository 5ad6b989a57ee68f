internal import Storage

/// A result as the source of further statements: `WITH` its rows.
struct PaneSource {
  private let plan: QueryPlan
  private let view: PaneView
  private let with: String
  private let columnCount: Int

  /// Creates a source; `nil` if the statement cannot be a part of another one, such as a pragma.
  init?(_ plan: QueryPlan, view: PaneView, _ db: Database) throws {
    let statement = try db.cachedStatement(sql: plan.sql)
    try WatchedQuery.check(statement)
    columnCount = statement.columnNames.count
    let names = (0..<columnCount).map { "c\($0)" }.joined(separator: ", ")
    with = "WITH wellspring_pane (\(names)) AS (\n\(plan.trimmedSQL)\n) "
    self.plan = plan
    self.view = view
    guard (try? db.cachedStatement(sql: with + "SELECT 1 FROM wellspring_pane")) != nil else {
      return nil
    }
  }

  /// Fetches a part of the rows.
  func fetch(_ db: Database, limit: Int, offset: Int) throws -> WatchedResult {
    let (condition, order) = view.clauses(columnCount: columnCount - plan.keyCount)
    let sql =
      with + "SELECT * FROM wellspring_pane\(condition)\(order) LIMIT \(limit) OFFSET \(offset)"
    let rows = try Row.fetchAll(
      db.makeStatement(sql: sql),
      arguments: plan.arguments
    ).map(\.databaseValues)
    // The column names may have changed with the schema: the first step compiles the statement.
    let names = try db.cachedStatement(sql: plan.sql).columnNames
    return try plan.result(columns: names, rows: rows)
  }

  /// Returns a cursor over all rows, with the columns of the key.
  func cursor(_ db: Database) throws -> RowCursor {
    let (condition, order) = view.clauses(columnCount: columnCount - plan.keyCount)
    let statement = try db.makeStatement(
      sql: with + "SELECT * FROM wellspring_pane\(condition)\(order)"
    )
    return try Row.fetchCursor(statement, arguments: plan.arguments)
  }

  /// Counts the rows.
  func count(_ db: Database) throws -> Int {
    let (condition, _) = view.clauses(columnCount: columnCount - plan.keyCount)
    return try Int.fetchOne(
      db.cachedStatement(sql: with + "SELECT count(*) FROM wellspring_pane\(condition)"),
      arguments: plan.arguments
    ) ?? 0
  }
}
