internal import WellspringSystem

/// The number of the rows of a query, with the data that patches need: the number of the rows of a
/// request, or the value of a query like `SELECT count(*) FROM item`.
struct NumberResult: Sendable {
  /// The number of matching rows that are known of a query that asks whether any row matches. Some
  /// can leave before the query must run again.
  private static let knownRows = 8

  private let subject: NumberQuery.Subject
  /// The query for the value, whose parameter is the number; `nil` if the number itself is the
  /// value.
  private let valueSQL: String?
  /// The plan of the query for the rows.
  let plan: PatchPlan
  /// The values of its parameters.
  let arguments: [DatabaseValue]
  /// The rows that are counted.
  let rows: CountedRows

  /// The number that makes the value.
  var number: Int { number(ofRows: rows.count) }

  /// Runs a query that counts; `nil` when its value can only be fetched.
  ///
  /// - Throws: ``PatchObstacle`` when it cannot be patched.
  init?(_ query: NumberQuery, _ statement: Statement, _ db: Database) throws {
    let rows = try Self.rows(of: query, statement)
    let valueSQL = query.valueSQL(columnName: statement.columnNames[0])
    try self.init(query.subject, valueSQL, rows, db)
  }

  /// Counts the rows of a query; `nil` when the number can only be fetched.
  ///
  /// - Throws: ``PatchObstacle`` when it cannot be patched.
  init?(rowsOf statement: Statement, _ db: Database) throws {
    try self.init(.count, nil, statement, db)
  }

  private init?(
    _ subject: NumberQuery.Subject,
    _ valueSQL: String?,
    _ statement: Statement,
    _ db: Database
  ) throws {
    self.subject = subject
    self.valueSQL = valueSQL
    let plan = try PatchAnalysis.plan(for: statement, .count)
    let arguments = statement.boundValues.map { $0 ?? .null }
    let capacity = subject == .existence ? Self.knownRows : nil
    let sql = plan.wholeSQL + (capacity.map { " LIMIT \($0)" } ?? "")
    var ids: [Int64] = []
    var joined = JoinedPartners(plan.source)
    let (numbers, recorder) = db.recordingRegion {
      try RowNumbers.number(sql, plan.source, arguments, db) {
        ids.append($1)
        try joined.set($1, $0)
      }
    }
    rows = try CountedRows(ids, numbers.get(), joined, capacity: capacity)
    self.plan = plan
    self.arguments = arguments
    // A function made in Swift may have run further statements.
    guard recorder.statements == [sql] else { return nil }
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

  private func number(ofRows count: Int) -> Int {
    switch subject {
    case .count: count
    case .existence: count > 0 || Fault.isOn(.patchExists) ? 1 : 0
    }
  }

  /// Makes the element of a number.
  ///
  /// - Parameters:
  ///   - number: The number.
  ///   - db: A connection.
  ///   - adapter: The adapter of the query's row.
  ///   - decode: Makes an element of a row.
  /// - Returns: The element.
  /// - Throws: The error of `decode`.
  func element<Element>(
    of number: Int,
    _ db: Database,
    adapter: (any RowAdapter)?,
    _ decode: (Row) throws -> Element
  ) throws -> Element {
    guard let valueSQL else {
      guard let number = number as? Element else { throw LostRow() }
      return number
    }
    return try db.unrecorded {
      let statement = try db.cachedStatement(sql: valueSQL)
      try statement.setArguments([number])
      defer { statement.reset() }
      _ = try statement.firstStep()
      return try decode(Row.live(in: statement, adapter))
    }
  }
}

// MARK: - Patches

extension NumberResult {
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
    guard let numbers = rows.numbers else { return nil }
    return try db.unrecorded {
      let touched = try plan.rows(
        touchedBy: changed,
        numbers,
        arguments,
        db,
        held: rows.rows(joinedWith:_:)
      )
      guard let touched, let matching = try matchingRows(touched, numbers, db) else { return nil }
      let difference = rows.difference(of: touched, matching: matching.rows, matching.joined)
      return difference.count.map { (number(ofRows: $0), difference) }
    }
  }

  /// Returns which of some rows the query has; `nil` when they are too many to be looked up.
  private func matchingRows(
    _ rows: Set<Int64>,
    _ numbers: RowNumbers,
    _ db: Database
  ) throws -> (rows: Set<Int64>, joined: JoinedPartners)? {
    guard let size = PatchPlan.lookupSizes.first(where: { $0 >= rows.count }) else { return nil }
    var matching: Set<Int64> = []
    var joined = JoinedPartners(plan.source)
    try numbers.lookUp(rows, plan.changedSQL(count: size), size: size, arguments, db) {
      matching.insert($1)
      try joined.set($1, $0)
    }
    return (matching, joined)
  }
}
