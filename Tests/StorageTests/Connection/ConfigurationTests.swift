import Storage
import Testing
import WellspringSystem

@testable import StorageTestSupport

@Suite struct ConfigurationTests {
  struct Refusal: Error {}

  @Test func `the default configuration suits services`() throws {
    let shop = try Shop()
    let pragmas = ["journal_mode": "wal", "synchronous": "2", "foreign_keys": "1"]
    for (name, expected) in pragmas {
      let value = try shop.pool.writeWithoutTransaction { db in
        try DatabaseValue.fetchOne(db, sql: "PRAGMA \(name)")
      }
      #expect(value?.description.replacing("'", with: "") == expected, "\(name)")
    }
  }

  @Test(
    arguments: [(Configuration.Synchronous.off, 0), (.normal, 1), (.full, 2)]
  )
  func `the configuration sets how thoroughly commits are synced`(
    synchronous: Configuration.Synchronous,
    number: Int
  ) throws {
    var configuration = Configuration()
    configuration.synchronous = synchronous
    try withDatabase(configuration) { db throws in
      #expect(try Int.fetchOne(db, sql: "PRAGMA synchronous") == number)
    }
  }

  @Test(arguments: [true, false])
  func `foreign keys are enforced unless turned off`(isEnforced: Bool) throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = isEnforced
    try withDatabase(configuration) { db in
      try db.execute(sql: "CREATE TABLE part (item REFERENCES item)")
      let insert = { try db.execute(sql: "INSERT INTO part VALUES (7)") }
      if isEnforced {
        expectDatabaseError(.SQLITE_CONSTRAINT_FOREIGNKEY, "FOREIGN KEY constraint failed", insert)
      } else {
        try insert()
      }
    }
  }

  @Test func `preparations run on every connection, in the order in which they were added`() throws
  {
    let runs = Lock(0)
    var configuration = Configuration()
    configuration.prepareDatabase { db in try db.execute(sql: "CREATE TEMP TABLE ready (x)") }
    configuration.prepareDatabase { db in
      try db.execute(sql: "INSERT INTO ready VALUES (1)")
      runs.withLock { $0 += 1 }
    }
    let shop = try Shop(configuration)
    #expect(runs.withLock { $0 } == 1)
    let query = "SELECT count(*) FROM ready"
    let written = try shop.pool.write { db in try Int.fetchOne(db, sql: query) }
    let read = try shop.pool.read { db in try Int.fetchOne(db, sql: query) }
    #expect(written == 1)
    #expect(read == 1)
    #expect(runs.withLock { $0 } == 2)
  }

  @Test func `an error of a preparation makes the opening fail`() {
    var configuration = Configuration()
    configuration.prepareDatabase { _ in throw Refusal() }
    #expect(throws: Refusal.self) { try DatabaseQueue(configuration: configuration) }
  }

  @Test func `a reader that cannot be prepared fails only its own read`() throws {
    let isRefused = Lock(false)
    var configuration = Configuration()
    configuration.maximumReaderCount = 1
    configuration.prepareDatabase { _ in if isRefused.withLock({ $0 }) { throw Refusal() } }
    let shop = try Shop(configuration)
    isRefused.withLock { $0 = true }
    #expect(throws: Refusal.self) { try shop.pool.read { _ in } }
    #expect(throws: Refusal.self) { try shop.pool.read { _ in } }
    isRefused.withLock { $0 = false }
    let count = try shop.pool.read { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM item")
    }
    #expect(count == 2)
  }

  @Test func `CON-10: a write waits for a lock until the timeout`() async throws {
    let shop = try Shop()
    var configuration = Configuration()
    configuration.busyMode = .timeout(0.05)
    let impatient = try DatabasePool(path: shop.path, configuration: configuration)
    configuration.busyMode = .timeout(60)
    let patient = try DatabasePool(path: shop.path, configuration: configuration)
    let session = try SQLiteSession(shop.path)
    await session.run("BEGIN IMMEDIATE")
    let start = ContinuousClock.now
    let error = await #expect(throws: DatabaseError.self) { try await impatient.write { _ in } }
    #expect(error?.resultCode == .SQLITE_BUSY)
    #expect(start.duration(to: .now) >= .milliseconds(50))
    async let written: Void = patient.write { db in try db.execute(sql: "DELETE FROM item") }
    await session.run("UPDATE item SET price = 7; COMMIT")
    try await written
    await session.end()
    let count = try await impatient.read { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM item")
    }
    #expect(count == 0)
  }

  @Test func `CON-12: the default busy mode waits five seconds`() {
    guard case .timeout(5) = Configuration().busyMode else {
      Issue.record("\(Configuration().busyMode)")
      return
    }
  }

  @Test func `CON-11: the busy mode decides how a write waits for another pool`() throws {
    let shop = try Shop()
    var configuration = Configuration()
    let tries = Lock<[Int]>([])
    configuration.busyMode = .callback { number in
      tries.withLock { $0.append(number) }
      return number < 3
    }
    let other = try DatabasePool(path: shop.path, configuration: configuration)
    configuration.busyMode = .immediateError
    let impatient = try DatabasePool(path: shop.path, configuration: configuration)
    try shop.pool.write { _ in
      expectDatabaseError(.SQLITE_BUSY, "database is locked") { try other.write { _ in } }
      expectDatabaseError(.SQLITE_BUSY, "database is locked") { try impatient.write { _ in } }
    }
    #expect(tries.withLock { $0 } == [0, 1, 2, 3])
    try other.write { _ in }
    try impatient.write { _ in }
  }

  // SQLite does not call the busy handler for each lock that it takes to open a file.
  @Test(arguments: [3, 30])
  func `CON-11: the busy mode decides how the opening waits`(wanted: Int) async throws {
    let file = try ForeignFile(.delete)
    let session = try SQLiteSession(file.path)
    await session.run("BEGIN IMMEDIATE")
    let tries = Lock<[Int]>([])
    var configuration = Configuration()
    configuration.busyMode = .callback { number in
      let count = tries.withLock { tries in
        tries.append(number)
        return tries.count
      }
      if count == wanted { session.runAndWait("COMMIT") }
      return count < 10
    }
    // The opening changes to WAL mode, so no other connection may write.
    if wanted < 10 {
      let pool = try DatabasePool(path: file.path, configuration: configuration)
      try await pool.write { db in try db.execute(sql: "DELETE FROM item") }
    } else {
      expectDatabaseError(.SQLITE_BUSY, "database is locked") {
        _ = try DatabasePool(path: file.path, configuration: configuration)
      }
    }
    #expect(tries.withLock { $0 } == Array(0..<min(wanted, 10)))
    await session.end()
  }
}
