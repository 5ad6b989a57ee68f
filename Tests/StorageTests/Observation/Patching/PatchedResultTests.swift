import Testing
import TestSupport

@testable import Storage
@testable import StorageTestSupport

/// A patched result equals a fresh run of the query, ties included.
@Suite("Patched results") struct PatchedResultTests {
  private static let table = TableName(schema: "main", name: "the table")

  /// A random table, and how its rows change.
  private func withTable(
    seed: UInt64,
    keyed isKeyed: Bool,
    _ body: (
      inout RandomQueries, Database,
      (inout RandomQueries) throws -> ChangedRows?
    ) throws -> Void
  ) throws {
    var queries = RandomQueries(seed: seed)
    try withDatabase { db throws in
      guard isKeyed else {
        try queries.makeTable(db)
        return try body(&queries, db) {
          ChangedRows(since: .none, [Self.table: .rowIDs(try $0.transaction(db))])
        }
      }
      try queries.makeKeyedTable(db)
      let recorded = try RecordedRows(of: Self.table.name, in: db)
      defer { recorded.end() }
      try body(&queries, db) { queries in
        try recorded.rows { try queries.keyedTransaction(db) }
      }
    }
  }

  @Test(arguments: [false, true])
  func `a patched result equals a fresh run after each random transaction`(keyed: Bool) throws {
    var statistics = (plans: 0, patches: 0, runs: 0)
    for seed in 0..<UInt64(Soak.size(60, inSuite: 34)) {
      try withTable(seed: seed, keyed: keyed) { queries, db, transaction in
        for _ in 0..<8 {
          let (sql, arguments) = queries.query()
          let plan = try self.plan(sql, arguments, db)
          guard let plan else { continue }
          statistics.plans += 1
          var result = try whole(plan, arguments, db)
          for _ in 0..<Soak.size(1000, inSuite: 25) {
            let changed = try #require(try transaction(&queries))
            let patch = try result.patch(changed: changed, db, adapter: nil) { $0.copy() }
            statistics.patches += patch == nil ? 0 : 1
            statistics.runs += patch == nil ? 1 : 0
            if patch == nil { result = try self.whole(plan, arguments, db) }
            let fresh = try Row.fetchAll(
              db,
              sql: sql,
              arguments: StatementArguments(values: arguments, namedValues: [:])
            )
            guard result.elements == fresh else {
              Issue.record("seed \(seed): \(sql) \(arguments): \(result.elements) != \(fresh)")
              return
            }
          }
        }
      }
    }
    // The generator makes queries that are patched.
    #expect(statistics.plans > 100)
    #expect(statistics.patches > statistics.runs * 3)
  }

  @Test(arguments: [false, true])
  func `a patched number equals a fresh run after each random transaction`(keyed: Bool) throws {
    var statistics = (results: 0, patches: 0, runs: 0)
    for seed in 0..<UInt64(Soak.size(60, inSuite: 34)) {
      try withTable(seed: seed, keyed: keyed) { queries, db, transaction in
        for _ in 0..<8 {
          let (sql, arguments) = queries.numberQuery()
          guard var result = try number(sql, arguments, db) else { continue }
          statistics.results += 1
          for _ in 0..<Soak.size(1000, inSuite: 25) {
            let changed = try #require(try transaction(&queries))
            var patched: Row?
            if let patch = try result.patch(changed: changed, db) {
              statistics.patches += 1
              result.result.rows.apply(patch.difference)
              patched = try row(patch.number, of: result, db)
            } else {
              statistics.runs += 1
              result = try #require(try number(sql, arguments, db))
              patched = try row(result.number, of: result, db)
            }
            let fresh = try Row.fetchOne(
              db,
              sql: sql,
              arguments: StatementArguments(values: arguments, namedValues: [:])
            )
            guard patched == fresh else {
              Issue.record("seed \(seed): \(sql) \(arguments): \(patched!) != \(fresh!)")
              return
            }
          }
        }
      }
    }
    #expect(statistics.results > 100)
    #expect(statistics.patches > statistics.runs * 10)
  }

  private func row(_ number: Int, of result: NumberResult, _ db: Database) throws -> Row {
    try result.element(of: number, db, adapter: nil) { $0.copy() }
  }

  private func number(
    _ sql: String,
    _ arguments: [DatabaseValue],
    _ db: Database
  ) throws -> NumberResult? {
    let statement = try db.makeStatement(sql: sql)
    try statement.setArguments(StatementArguments(values: arguments, namedValues: [:]))
    do {
      return try NumberResult(#require(try NumberQuery(sql)), statement, db)
    } catch is PatchObstacle {
      return nil
    }
  }

  private func plan(
    _ sql: String,
    _ arguments: [DatabaseValue],
    _ db: Database
  ) throws -> PatchPlan? {
    let statement = try db.makeStatement(sql: sql)
    try statement.setArguments(StatementArguments(values: arguments, namedValues: [:]))
    do {
      return try PatchAnalysis.plan(for: statement)
    } catch is PatchObstacle {
      return nil
    }
  }

  private func whole(
    _ plan: PatchPlan,
    _ arguments: [DatabaseValue],
    _ db: Database
  ) throws -> PatchedResult<Row> {
    try PatchedResult(plan, arguments, db, adapter: nil) { $0.copy() }
  }
}
