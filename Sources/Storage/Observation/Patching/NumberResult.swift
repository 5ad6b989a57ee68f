internal import WellspringPlatform

/// The value of a query like `SELECT count(*) FROM item`, with what is needed to patch it: see
/// ``NumberQuery``.
struct NumberResult: Sendable {
  /// So many rows that match are known of a query that asks whether one does. Some can leave before
  /// the query must run again.
  private static let knownRows = 8

  private let query: NumberQuery
  private let valueSQL: String
  let result: CountedResult

  /// The number that the column is made of.
  var number: Int { number(ofRows: result.rows.count) }

  /// Runs the whole query; `nil` when its value can only be fetched.
  ///
  /// - Throws: ``PatchObstacle`` when it cannot be patched.
  init?(_ query: NumberQuery, _ statement: Statement, _ db: Database) throws {
    self.query = query
    valueSQL = query.valueSQL(columnName: statement.columnNames[0])
    let rows = try Self.rows(of: query, statement)
    let plan = try PatchAnalysis.plan(for: rows, .count)
    let capacity = query.subject == .existence ? Self.knownRows : nil
    let arguments = rows.boundValues.map { $0 ?? .null }
    guard let result = try CountedResult(plan, arguments, db, capacity: capacity) else {
      return nil
    }
    self.result = result
  }

  /// Returns the plan for the rows of a query.
  static func plan(for query: NumberQuery, _ statement: Statement) throws -> PatchPlan {
    try PatchAnalysis.plan(for: rows(of: query, statement), .count)
  }

  private static func rows(of query: NumberQuery, _ statement: Statement) throws -> Statement {
    try statement.database.unrecorded {
      try statement.rows(query.rowsSQL, of: ["count"], columnCount: 1)
    }
  }

  /// Counts again.
  ///
  /// - Parameters:
  ///   - changed: All rows of its tables that have changed since.
  ///   - db: A snapshot in which no other row has changed.
  /// - Returns: The number, and how the rows differ; `nil` when the whole query must run.
  /// - Throws: The error of the query.
  func patch(
    changed: ChangedRows,
    _ db: Database
  ) throws -> (number: Int, difference: CountedRows.Difference)? {
    try result.patch(changed: changed, db).map { (number(ofRows: $0.count), $0.difference) }
  }

  private func number(ofRows count: Int) -> Int {
    switch query.subject {
    case .count: count
    case .existence: count > 0 || Fault.isOn(.patchExists) ? 1 : 0
    }
  }

  /// Makes the element of the row of a number.
  func element<Element>(
    of number: Int,
    _ db: Database,
    adapter: (any RowAdapter)?,
    _ decode: (Row) throws -> Element
  ) throws -> Element {
    try db.unrecorded {
      let statement = try db.cachedStatement(sql: valueSQL)
      try statement.setArguments([number])
      defer { statement.reset() }
      _ = try statement.firstStep()
      return try decode(Row.live(in: statement, adapter))
    }
  }
}
