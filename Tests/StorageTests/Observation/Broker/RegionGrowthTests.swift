import Storage
import Synchronization
import Testing
import TestSupport

@testable import StorageTestSupport

/// P1: a query that begins to read something that was not observed before misses no commit of its
/// first run.
@Suite("P1: regions that grow") struct RegionGrowthTests {
  /// The query of an existing observation, and the query of an observation that starts later.
  struct Case: Sendable, CustomTestStringConvertible {
    let known: String
    let new: String
    let change: String
    var testDescription: String { new }
  }

  static let cases: [Case] = [
    Case(known: "SELECT a FROM t", new: "SELECT b FROM t", change: "UPDATE t SET b = 99"),
    Case(known: "SELECT a FROM t", new: "SELECT x FROM u", change: "UPDATE u SET x = 99"),
    Case(
      known: "SELECT a FROM t WHERE id = 1",
      new: "SELECT a FROM t WHERE id = 2",
      change: "UPDATE t SET a = 99 WHERE id = 2"
    ),
    Case(
      known: "SELECT a FROM t WHERE id = 1",
      new: "SELECT max(a) FROM t",
      change: "UPDATE t SET a = 99 WHERE id = 2"
    ),
  ]

  @Test(arguments: cases)
  func `a commit during the first run of a query is seen`(test: Case) async throws {
    let directory = TemporaryDirectory()
    let pool = try DatabasePool(path: directory.file())
    try await pool.write { db in
      try db.execute(
        sql: """
          CREATE TABLE t (id INTEGER PRIMARY KEY, a, b);
          CREATE TABLE u (x);
          INSERT INTO t VALUES (1, 0, 0), (2, 0, 0);
          INSERT INTO u VALUES (0)
          """
      )
    }
    let (known, first) = ValueObservation.tracking { db in
      try Int.fetchOne(db, sql: test.known)
    }.record(in: pool)
    #expect(try await known.nextValue() == 0)
    // This write lets the writer take up the observed regions.
    try await pool.write { db in try db.execute(sql: "UPDATE t SET a = 1 WHERE id = 1") }
    #expect(try await known.nextValue() == 1)

    let isFirstRun = Atomic(true)
    let (new, second) = ValueObservation.tracking { db in
      let value = try Int.fetchOne(db, sql: test.new)
      if isFirstRun.exchange(false, ordering: .relaxed) {
        try onAnotherThread {
          try pool.write { db in try db.execute(sql: test.change) }
        }
      }
      return value
    }.record(in: pool)
    // The value of the first run comes first, unless the newer one overtakes it.
    _ = try await new.value { $0 == 99 }
    first.cancel()
    second.cancel()
  }
}
