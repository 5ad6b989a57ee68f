import Testing

@testable import Storage

/// Patches the values of queries after each transaction, and compares them with fresh runs.
struct PatchComparison {
  /// How many queries can be patched.
  private(set) var queries = 0
  private(set) var patches = 0
  /// How often a query had to run as a whole.
  private(set) var runs = 0

  /// The kind of a query's result.
  enum Kind {
    case rows
    /// The number of rows, or whether there is one.
    case number
    /// Groups of rows, or one row about all rows.
    case groups
  }

  /// Compiles a query, with tables in place of its other sources; `nil` if that cannot be.
  private static func statement(
    _ sql: String,
    _ arguments: StatementArguments,
    _ db: Database
  ) throws -> Statement? {
    let statement = try db.makeStatement(sql: sql)
    try statement.setArguments(arguments)
    do { return try statement.expandingSources() } catch is PatchObstacle { return nil }
  }

  /// Follows the result of a query: see the functions below.
  mutating func follow(
    _ sql: String,
    _ values: [DatabaseValue],
    _ kind: Kind,
    _ db: Database,
    count: Int,
    _ transaction: () throws -> ChangedRows?
  ) throws -> Bool {
    switch kind {
    case .rows: try followRows(of: sql, values, db, count: count, transaction)
    case .number: try followNumber(of: sql, values, db, count: count, transaction)
    case .groups: try followGroups(of: sql, values, db, count: count, transaction)
    }
  }

  /// Follows the rows of a query, if it can be patched.
  ///
  /// - Parameters:
  ///   - sql: The query.
  ///   - values: The values of its parameters.
  ///   - db: The connection.
  ///   - count: The number of transactions.
  ///   - transaction: Changes rows, and returns which.
  /// - Returns: Whether all values were right. An issue is recorded for the first wrong one.
  /// - Throws: The error of a statement.
  mutating func followRows(
    of sql: String,
    _ values: [DatabaseValue],
    _ db: Database,
    count: Int,
    _ transaction: () throws -> ChangedRows?
  ) throws -> Bool {
    let arguments = StatementArguments(values: values, namedValues: [:])
    guard let statement = try Self.statement(sql, arguments, db) else { return true }
    let plan: PatchPlan
    do { plan = try PatchAnalysis.plan(for: statement) } catch is PatchObstacle { return true }
    queries += 1
    func whole() throws -> PatchedResult<Row> {
      try PatchedResult(plan, values, db, RowForm(adapter: nil)) { $0.copy() }
    }
    var result = try whole()
    for _ in 0..<count {
      let changed = try #require(try transaction())
      // A change that is not followed touches all rows.
      let isFollowed = !plan.others.contains(where: changed.touches)
      if try result.patch(changed: changed, db, RowForm(adapter: nil), { $0.copy() }) != nil {
        patches += 1
      } else {
        if isFollowed { runs += 1 }
        result = try whole()
      }
      let fresh = try Row.fetchAll(db, sql: sql, arguments: arguments)
      guard result.elements == fresh else {
        Issue.record("\(sql) \(values): \(result.elements) != \(fresh)")
        return false
      }
    }
    return true
  }

  /// Follows the number that a query asks for, if it can be patched.
  ///
  /// - Parameters:
  ///   - sql: The query.
  ///   - values: The values of its parameters.
  ///   - db: The connection.
  ///   - count: The number of transactions.
  ///   - transaction: Changes rows, and returns which.
  /// - Returns: Whether all values were right. An issue is recorded for the first wrong one.
  /// - Throws: The error of a statement.
  mutating func followNumber(
    of sql: String,
    _ values: [DatabaseValue],
    _ db: Database,
    count: Int,
    _ transaction: () throws -> ChangedRows?
  ) throws -> Bool {
    let arguments = StatementArguments(values: values, namedValues: [:])
    guard let statement = try Self.statement(sql, arguments, db) else { return true }
    let query = try #require(try NumberQuery(statement.sql))
    func whole() throws -> NumberResult {
      try #require(try NumberResult(query, statement, db))
    }
    var result: NumberResult
    do { result = try whole() } catch is PatchObstacle { return true }
    queries += 1
    for _ in 0..<count {
      let changed = try #require(try transaction())
      let isFollowed = !result.plan.others.contains(where: changed.touches)
      let number: Int
      if let patch = try result.patch(changed: changed, db) {
        patches += 1
        result.rows.apply(patch.difference)
        number = patch.number
      } else {
        if isFollowed { runs += 1 }
        result = try whole()
        number = result.number
      }
      let patched = try result.element(of: number, db, adapter: nil) { $0.copy() }
      let fresh = try Row.fetchOne(db, sql: sql, arguments: arguments)
      guard patched == fresh else {
        Issue.record("\(sql) \(values): \(patched) != \(fresh!)")
        return false
      }
    }
    return true
  }

  /// Follows the groups of a query, if they can be patched.
  ///
  /// - Parameters:
  ///   - sql: The query.
  ///   - values: The values of its parameters.
  ///   - db: The connection.
  ///   - count: The number of transactions.
  ///   - transaction: Changes rows, and returns which.
  /// - Returns: Whether all values were right. An issue is recorded for the first wrong one.
  /// - Throws: The error of a statement.
  mutating func followGroups(
    of sql: String,
    _ values: [DatabaseValue],
    _ db: Database,
    count: Int,
    _ transaction: () throws -> ChangedRows?
  ) throws -> Bool {
    let arguments = StatementArguments(values: values, namedValues: [:])
    guard let statement = try Self.statement(sql, arguments, db) else { return true }
    let query: AggregateQuery
    do {
      query = try #require(try AggregateQuery(statement.sql))
    } catch is PatchObstacle {
      return true
    }
    func whole() throws -> AggregateResult<Row>? {
      do {
        return try AggregateResult(query, statement, db, adapter: nil) { $0.copy() }
      } catch is PatchObstacle {
        return nil
      }
    }
    var result = try whole()
    if result != nil { queries += 1 }
    for _ in 0..<count {
      let changed = try #require(try transaction())
      let difference = try result?.patch(changed: changed, db, adapter: nil) { $0.copy() }
      if let difference {
        patches += 1
        result?.rows.apply(difference)
      } else {
        runs += result == nil ? 0 : 1
        result = try whole()
      }
      let fresh = try Row.fetchAll(db, sql: sql, arguments: arguments)
      guard let elements = result?.elements, elements != fresh else { continue }
      Issue.record("\(sql) \(values): \(elements) != \(fresh)")
      return false
    }
    return true
  }
}
