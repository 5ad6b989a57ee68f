import CWellspringSQLite
import Foundation
import Testing
import TestSupport
import WellspringSystem

@testable import Storage
@testable import StorageTestSupport

/// A run can see a commit of another process before it is found. It may be found only together with
/// a commit that undoes it. The rows of both commits are not announced then.
@Suite("Commits that are seen before they are announced") struct UnannouncedCommitsTests {
  private let directory = TemporaryDirectory()

  @Test func `a value that may contain further commits is not kept`() throws {
    let request = SQLRequest<Row>(sql: "SELECT * FROM item")
    try withDatabase(.patching) { db in
      for isExact in [false, true] {
        let patcher = ElementsPatcher(all: request)
        let fetcher = TypedQueryFetcher<[Row]>(dropsEqualValues: true, patcher: patcher) { db, _ in
          try request.fetchAll(db)
        }
        let query = ObservedQuery(id: QueryID(0), fetcher: fetcher)
        _ = query.accept(query.fetch(db, in: .none, isExact: isExact))
        #expect(patcher.isKept == isExact)
      }
    }
  }

  private static let schema = """
    CREATE TABLE t0 (id INTEGER PRIMARY KEY, k INTEGER, v);
    CREATE TABLE t1 (id INTEGER PRIMARY KEY, k INTEGER, v);
    CREATE TABLE t2 (n INTEGER UNIQUE, k INTEGER, v, s TEXT);
    INSERT INTO t1 VALUES (1, 1, 1), (2, 2, 2), (3, 7, 3);
    """

  private static let queries = [
    "SELECT a.s FROM t2 a WHERE a.rowid NOT IN (SELECT b.k FROM t0 b)",
    "SELECT rowid, s FROM t2",
    "SELECT a.v, b.s FROM t0 a JOIN t2 b ON b.rowid = a.k",
  ]

  /// Statements of this process.
  private static let own = [
    "DELETE FROM t0", "DELETE FROM t0 WHERE id = 4", "DELETE FROM t2 WHERE rowid = 8",
    "INSERT INTO t0 (k, v) SELECT k, v FROM t1", "INSERT INTO t0 (k, v) VALUES (NULL, 1)",
    "UPDATE t1 SET v = v + 1", "BEGIN; INSERT INTO t0 (k) VALUES (3); ROLLBACK",
  ]

  /// Statements that the library does not see. Many rows come and go between two looks.
  private static func foreign(_ generator: inout SeededGenerator) -> String {
    let n = generator.number(in: 0..<100_000)
    return generator.pick([
      "INSERT OR IGNORE INTO t2 (n, k, s) VALUES (\(n), 3, 'eel \(n)')", "DELETE FROM t2",
      "REPLACE INTO t2 (n, s, rowid) VALUES (\(n), 'r \(n)', 3)", "DELETE FROM t2 WHERE rowid = 3",
      "UPDATE t2 SET v = \(n) FROM (SELECT k AS wanted FROM t0 LIMIT 1) WHERE t2.k = wanted",
      "SAVEPOINT b; UPDATE t2 SET k = 5; ROLLBACK TO b; RELEASE b", "DELETE FROM t0 WHERE id > 9",
    ])!
  }

  @Test func `soak: rows that other connections change and change back are right`() async throws {
    let path = directory.file()
    let pools = try (0..<2).map { _ in try DatabasePool(path: path, configuration: .patching) }
    try await pools[0].write { db in try db.execute(sql: Self.schema) }
    let followed = Self.queries.flatMap { sql in
      pools.map { FollowedRequest(SQLRequest<Row>(sql: sql), in: $0) }
    }
    let seed = Soak.seeds(1, inSuite: 1)[0]
    var generator = SeededGenerator(seed: seed)
    for round in 0..<Soak.size(10_000, inSuite: 15) {
      let own = pools.map { _ in (0..<3).map { _ in generator.pick(Self.own)! } }
      let foreign = (0..<2).map { _ in (0..<4).map { _ in Self.foreign(&generator) } }
      try await withThrowingTaskGroup { group in
        for (pool, statements) in zip(pools, own) {
          group.addTask { try await Self.onThread { try Self.commit(statements, in: pool) } }
        }
        for statements in foreign {
          group.addTask { try await Self.onThread { Self.commit(statements, path) } }
        }
        try await group.waitForAll()
      }
      for pool in pools { try await pool.quiesce() }
      for query in followed {
        let fresh = try await pools[0].read { db in try query.fresh(db) }
        guard query.last == fresh else {
          Issue.record(
            "seed \(seed), round \(round): \(query.request): \(query.last) != \(fresh); \(foreign)"
          )
          return
        }
      }
    }
    for query in followed { query.cancel() }
  }

  /// Runs a body that waits for locks on a thread of its own.
  private static func onThread(_ body: @escaping @Sendable () throws -> Void) async throws {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
  }

  private static func commit(_ statements: [String], in pool: DatabasePool) throws {
    for sql in statements { try pool.writeWithoutTransaction { db in try db.execute(sql: sql) } }
  }

  private static func commit(_ statements: [String], _ path: String) {
    var connection: OpaquePointer?
    sqlite3_open(path, &connection)
    sqlite3_busy_timeout(connection, 60_000)
    sqlite3_exec(connection, "PRAGMA synchronous = off", nil, nil, nil)
    for sql in statements { sqlite3_exec(connection, sql, nil, nil, nil) }
    sqlite3_close(connection)
  }
}
