import Foundation
import Storage
import Testing
import TestSupport
import WellspringSystem

@testable import StorageTestSupport

/// Simultaneous commits of this process's pools and of other processes.
@Suite struct WriterCommitsTests {
  private static let writeCount = Soak.size(25_000, inSuite: 100)

  /// The state of the table. Each transaction adds a number and its negative.
  private struct Ledger: Equatable, FetchableRecord, Decodable {
    let count: Int
    let balance: Int

    static func observe(in pool: DatabasePool) -> (Witness, AnyDatabaseCancellable) {
      let witness = Witness()
      let observation = ValueObservation.tracking { db in
        try Ledger.fetchOne(
          db,
          sql: "SELECT count(*) AS count, ifnull(sum(n), 0) AS balance FROM entry"
        )!
      }
      let cancellable = observation.start(in: pool) { error in
        Issue.record(error)
      } onChange: { ledger in
        witness.see(ledger)
      }
      return (witness, cancellable)
    }
  }

  /// Checks that the values of an observation were committed and never go back in time.
  private final class Witness: Sendable {
    private let last = Lock(Ledger(count: 0, balance: 0))

    func see(_ ledger: Ledger) {
      #expect(ledger.balance == 0 && ledger.count % 2 == 0)
      last.withLock { last in
        #expect(ledger.count >= last.count)
        last = ledger
      }
    }

    var count: Int { last.withLock { $0.count } }
  }

  /// The SQL of one transaction. After every twentieth, a checkpoint truncates the WAL.
  private static func transaction(_ number: Int) -> String {
    """
    BEGIN IMMEDIATE; INSERT INTO entry VALUES (\(number)); INSERT INTO entry VALUES (-\(number));
    COMMIT;
    \(number % 20 == 0 ? "PRAGMA wal_checkpoint(TRUNCATE)" : "")
    """
  }

  @Test func `soak: P1: all simultaneous commits of pools and other processes are seen`()
    async throws
  {
    let directory = TemporaryDirectory()
    var configuration = Configuration()
    configuration.synchronous = .normal
    let pool = try DatabasePool(path: directory.file(), configuration: configuration)
    try await pool.write { db in try db.execute(sql: "CREATE TABLE entry (n INTEGER)") }
    let second = try DatabasePool(path: directory.file(), configuration: configuration)
    configuration.readonly = true
    let watcher = try DatabasePool(path: directory.file(), configuration: configuration)
    let observers = [pool, second, watcher].map(Ledger.observe(in:))
    let shells = try (0..<2).map { _ in try SQLiteSession(directory.file()) }

    try await withThrowingTaskGroup(of: Void.self) { group in
      for shell in shells {
        group.addTask {
          await shell.run("PRAGMA busy_timeout = 20000")
          for number in 1...Self.writeCount { await shell.run(Self.transaction(number)) }
        }
      }
      for pool in [pool, second] {
        group.addTask {
          for number in 1...Self.writeCount {
            try await pool.write { db in
              try db.execute(
                sql: "INSERT INTO entry VALUES (?); INSERT INTO entry VALUES (?)",
                arguments: [number, -number]
              )
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let written = try await pool.read { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM entry")
    }
    #expect(written == 2 * 4 * Self.writeCount)
    for (reader, observer) in zip([pool, second, watcher], observers) {
      try await reader.quiesce()
      #expect(observer.0.count == written)
      observer.1.cancel()
    }
    for shell in shells { await shell.end() }
  }

  /// Runs a closure during `COMMIT`, after the commit is visible and before the WAL hook.
  private static func afterCommit(_ db: Database, _ body: @escaping () throws -> Void) {
    db.trace(options: .profile) { event in
      guard event.description.contains("COMMIT") else { return }
      #expect(throws: Never.self, performing: body)
    }
  }

  // The first commit happens when its statement is reset. SQLite calls the WAL hook for it only in
  // the second commit.
  @Test func `P1: a foreign commit right after a commit that writes nothing is seen`()
    async throws
  {
    let shop = try Shop()
    let path = shop.path
    try await shop.pool.write { db in try db.execute(sql: "CREATE TABLE other (a)") }
    let (recorder, cancellable) = Shop.items.record(in: shop.pool)
    #expect(try await recorder.nextValue() == [.cup, .pot])
    try await shop.pool.writeWithoutTransaction { db in
      #expect(try Int.fetchOne(db, sql: "INSERT INTO other VALUES (1) RETURNING a") == 1)
      Self.afterCommit(db) { try SQLiteShell.run(path, "DELETE FROM item WHERE id = 1") }
      try db.inTransaction(.immediate) { .commit }
      db.trace()
    }
    #expect(try await recorder.nextValue() == [.pot])
    cancellable.cancel()
  }

  // A commit is visible and its lock is released before its statement returns; a checkpoint may
  // come in between. Only this one commit may be treated as the pool's own.
  @Test(arguments: [false, true])
  func `P1: a foreign commit is seen while a commit of another pool ends`(isEmpty: Bool)
    async throws
  {
    let shop = try Shop()
    let (path, pool) = (shop.path, shop.pool)
    let second = try DatabasePool(path: path)
    try await pool.write { db in try db.execute(sql: "CREATE TABLE other (a)") }
    let (recorder, cancellable) = Shop.items.record(in: pool)
    #expect(try await recorder.nextValue() == [.cup, .pot])
    try await second.writeWithoutTransaction { db in
      Self.afterCommit(db) {
        if !isEmpty {
          try onAnotherThread {
            try pool.write { db in try db.execute(sql: "INSERT INTO other VALUES (2)") }
          }
        }
        try SQLiteShell.run(path, "DELETE FROM item WHERE id = 1")
        try onAnotherThread { try pool.write { _ in } }
      }
      try db.inTransaction(.immediate) {
        if !isEmpty { try db.execute(sql: "INSERT INTO other VALUES (1)") }
        return .commit
      }
      db.trace()
    }
    #expect(try await recorder.nextValue() == [.pot])
    cancellable.cancel()
  }

  @Test func `P1: a foreign commit is seen after one that writes only temporary tables`()
    async throws
  {
    let shop = try Shop()
    let path = shop.path
    try await shop.pool.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA temp.cache_size = 10; CREATE TEMP TABLE big (a)")
    }
    let (recorder, cancellable) = Shop.items.record(in: shop.pool)
    #expect(try await recorder.nextValue() == [.cup, .pot])
    try await shop.pool.writeWithoutTransaction { db in
      Self.afterCommit(db) { try SQLiteShell.run(path, "DELETE FROM item WHERE id = 1") }
      try db.inTransaction(.immediate) {
        // More than fits into the cache.
        try db.execute(
          sql: """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
            INSERT INTO big SELECT zeroblob(1000) FROM n
            """
        )
        return .commit
      }
      db.trace()
    }
    #expect(try await recorder.nextValue() == [.pot])
    cancellable.cancel()
  }

  // The foreign commit changes the schema after the pool has read the columns.
  @Test(.patient)
  func `P1: a write that mistook a foreign commit for another pool's uses its schema`()
    async throws
  {
    let shop = try Shop()
    let (path, pool) = (shop.path, shop.pool)
    let second = try DatabasePool(path: path)
    try await pool.write { db in
      try db.execute(sql: "CREATE TABLE t (a, b, c); INSERT INTO t VALUES (1, 2, 3)")
    }
    let (recorder, cancellable) = ValueObservation.tracking { db in
      try Int.fetchOne(db, sql: "SELECT c FROM t") ?? 0
    }.allowDuplicates().record(in: pool)
    #expect(try await recorder.nextValue() == 3)
    // The pool reads the columns of the table.
    try await pool.write { db in try db.execute(sql: "UPDATE t SET b = 9") }
    let (hasBegun, hasEnded) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    try await second.writeWithoutTransaction { db in
      Self.afterCommit(db) {
        try SQLiteShell.run(path, "ALTER TABLE t DROP COLUMN a")
        Thread.detachNewThread {
          #expect(throws: Never.self) {
            try pool.write { db in
              hasBegun.signal()
              hasEnded.wait()
              try db.execute(sql: "UPDATE t SET c = 4")
            }
          }
        }
        hasBegun.wait()
      }
      try db.inTransaction(.immediate) { .commit }
      db.trace()
    }
    #expect(try await recorder.nextValue() == 3)
    hasEnded.signal()
    _ = try await recorder.value { $0 == 4 }
    cancellable.cancel()
  }
}
