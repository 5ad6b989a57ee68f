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
          ChangedRows(
            since: .none,
            ChangedRows.Content(rows: [Self.table: .rowIDs(try $0.transaction(db))])
          )
        }
      }
      try queries.makeKeyedTable(db)
      let recorded = try RecordedRows(of: [Self.table.name], in: db)
      defer { recorded.end() }
      try body(&queries, db) { queries in
        try recorded.rows { try queries.keyedTransaction(db) }
      }
    }
  }

  private func comparison(
    keyed isKeyed: Bool,
    _ kind: PatchComparison.Kind,
    _ makeQuery: (inout RandomQueries) -> (String, [DatabaseValue])
  ) throws -> PatchComparison {
    var comparison = PatchComparison()
    for seed in 0..<UInt64(Soak.size(60, inSuite: 18)) {
      try withTable(seed: seed, keyed: isKeyed) { queries, db, transaction in
        for _ in 0..<8 {
          let (sql, values) = makeQuery(&queries)
          let isRight = try comparison.follow(
            sql,
            values,
            kind,
            db,
            count: Soak.size(1000, inSuite: 13)
          ) {
            try transaction(&queries)
          }
          guard isRight else {
            Issue.record("seed \(seed)")
            return
          }
        }
      }
    }
    // The generator makes queries that are patched.
    #expect(comparison.queries > 100)
    return comparison
  }

  @Test(arguments: [false, true])
  func `a patched result equals a fresh run after each random transaction`(keyed: Bool) throws {
    let comparison = try comparison(keyed: keyed, .rows) { $0.query() }
    #expect(comparison.patches > comparison.runs * 3)
  }

  @Test(arguments: [false, true])
  func `a patched number equals a fresh run after each random transaction`(keyed: Bool) throws {
    let comparison = try comparison(keyed: keyed, .number) { $0.numberQuery() }
    #expect(comparison.patches > comparison.runs * 10)
  }
}
