import Storage
import Testing
import TestSupport
import WellspringSystem

@testable import StorageTestSupport

/// The snapshot of a read.
@Suite struct ReadSnapshotTests {
  private let directory = TemporaryDirectory()

  /// Deletes an item on another thread, and then counts the items.
  @Sendable private static func deleteAndCount(_ db: Database, _ pool: DatabasePool) throws -> Int?
  {
    try onAnotherThread {
      try pool.write { db in
        try db.execute(sql: "DELETE FROM item WHERE id = (SELECT min(id) FROM item)")
      }
    }
    return try Int.fetchOne(db, sql: "SELECT count(*) FROM item")
  }

  @Test func `a read sees the state at its beginning, even if it reads later`() throws {
    let shop = try Shop()
    let pool = shop.pool
    for count in [2, 1, 0] {
      #expect(try pool.read { db in try Self.deleteAndCount(db, pool) } == count)
    }
  }

  @Test func `an async read sees the state at its beginning`() async throws {
    let shop = try Shop()
    let pool = shop.pool
    for count in [2, 1, 0] {
      #expect(try await pool.read { db in try Self.deleteAndCount(db, pool) } == count)
    }
  }

  @Test func `a read sees the state of attached databases at its beginning`() throws {
    let path = directory.file()
    try SQLiteShell.run(path, "PRAGMA journal_mode = WAL; CREATE TABLE old (n)")
    var configuration = Configuration()
    configuration.prepareDatabase { db in try db.attach(path, as: "archive") }
    let shop = try Shop(configuration)
    let pool = shop.pool
    try pool.read { db in
      try SQLiteShell.run(path, "INSERT INTO old VALUES (1)")
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM archive.old") == 0)
    }
    #expect(try pool.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM old") } == 1)
  }

  @Test func `the statement that takes the snapshot of a read is not traced`() throws {
    let shop = try Shop()
    let sql = Recorded()
    try shop.pool.read { db in db.trace { sql.append("\($0)") } }
    try shop.pool.read { db in _ = try Int.fetchOne(db, sql: "SELECT 1") }
    #expect(sql.take().suffix(3) == ["BEGIN DEFERRED", "SELECT 1", "COMMIT"])
  }
}

/// Collects texts on any thread.
private final class Recorded: Sendable {
  private let lines = Lock<[String]>([])

  func append(_ line: String) { lines.withLock { $0.append(line) } }
  func take() -> [String] { lines.withLock { $0 } }
}
