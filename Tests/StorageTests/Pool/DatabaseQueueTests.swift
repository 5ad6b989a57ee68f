import Foundation
import Storage
import Testing
import TestSupport
import WellspringSystem

@testable import StorageTestSupport

@Suite struct DatabaseQueueTests {
  struct Undo: Error {}

  /// A queue in memory with the empty table `item`.
  func queueWithItems() throws -> DatabaseQueue {
    let queue = try DatabaseQueue()
    try queue.write { db in try db.execute(sql: Item.schema) }
    return queue
  }

  func items(_ queue: DatabaseQueue) throws -> [Item] {
    try queue.read { db in try Item.fetchAll(db, sql: "SELECT * FROM item ORDER BY id") }
  }

  @Test
  func `CON-04: a bundled database is read in place, and copied to be written`()
    throws
  {
    let program = TemporaryDirectory()
    let bundled = try DatabaseQueue(path: program.file())
    try bundled.write { db in
      try db.execute(sql: Item.schema)
      try Item.cup.insert(db)
    }
    try bundled.close()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: program.file()))

    var configuration = Configuration()
    configuration.readonly = true
    let resource = try DatabaseQueue(path: program.file(), configuration: configuration)
    #expect(try items(resource) == [.cup])
    #expect(throws: DatabaseError.self) { try resource.write { db in try Item.pot.insert(db) } }

    let directory = TemporaryDirectory()
    try FileManager.default.copyItem(atPath: program.file(), toPath: directory.file())
    let copy = try DatabaseQueue(path: directory.file())
    try copy.write { db in try Item.pot.insert(db) }
    #expect(try items(copy) == [.cup, .pot])
    #expect(try items(resource) == [.cup])
    #expect(try Data(contentsOf: URL(fileURLWithPath: program.file())) == bytes)
    #expect(try FileManager.default.contentsOfDirectory(atPath: program.path).count == 1)
  }

  @Test func `two queues in memory are two databases`() async throws {
    let queue = try DatabaseQueue()
    let other = try DatabaseQueue()
    #expect(queue.path == ":memory:")
    try await queue.write { db in try db.execute(sql: Item.schema) }
    try await queue.write { db in try Item.cup.insert(db) }
    let items = try await queue.read { db in try Item.fetchAll(db, sql: "SELECT * FROM item") }
    #expect(items == [.cup])
    expectDatabaseError(.SQLITE_ERROR, "no such table: item") {
      _ = try other.read { db in try Item.fetchAll(db, sql: "SELECT * FROM item") }
    }
  }

  @Test func `a queue keeps the journal mode of its file, unless WAL is requested`() throws {
    let directory = TemporaryDirectory()
    let mode = "PRAGMA journal_mode"
    let queue = try DatabaseQueue(path: directory.file())
    try queue.write { db in try db.execute(sql: Item.schema) }
    #expect(try queue.read { db in try String.fetchOne(db, sql: mode) } == "delete")
    try queue.close()
    var configuration = Configuration()
    configuration.journalMode = .wal
    let wal = try DatabaseQueue(path: directory.file(), configuration: configuration)
    #expect(try wal.read { db in try String.fetchOne(db, sql: mode) } == "wal")
    try wal.close()
    let again = try DatabaseQueue(path: directory.file())
    #expect(try again.read { db in try String.fetchOne(db, sql: mode) } == "wal")
  }

  @Test func `a read sees what the previous access wrote`() throws {
    let queue = try DatabaseQueue()
    for number in 1...50 {
      try queue.write { db in try db.execute(sql: "PRAGMA user_version = \(number)") }
      let version = try queue.read { db in
        #expect(db.isInsideTransaction)
        return try Int.fetchOne(db, sql: "PRAGMA user_version")
      }
      #expect(version == number)
    }
  }

  @Test func `CON-08: accesses of many tasks run one at a time`() async throws {
    let queue = try DatabaseQueue()
    let inside = Lock((now: 0, most: 0))
    @Sendable func counted<Result>(_ access: () throws -> Result) rethrows -> Result {
      inside.withLock {
        $0.now += 1
        $0.most = max($0.most, $0.now)
      }
      defer { inside.withLock { $0.now -= 1 } }
      return try access()
    }
    try await queue.write { db in
      try db.execute(sql: "CREATE TABLE t (n); INSERT INTO t VALUES (0)")
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<100 {
        group.addTask {
          if index.isMultiple(of: 2) {
            _ = try await queue.read { db in
              try counted { try Int.fetchOne(db, sql: "SELECT n FROM t") }
            }
          } else {
            try await queue.write { db in
              try counted { try db.execute(sql: "UPDATE t SET n = n + 1") }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await queue.read { db in try Int.fetchOne(db, sql: "SELECT n FROM t") } == 50)
    #expect(inside.withLock { $0.most } == 1)
  }

  @Test func `CON-09: other accesses wait until a transaction ends`() throws {
    let queue = try queueWithItems()
    let events = Lock<[String]>([])
    try queue.write { db in
      try Item.cup.insert(db)
      queue.asyncRead { db in
        let count = try? Int.fetchOne(db.get(), sql: "SELECT count(*) FROM item")
        events.withLock { $0.append("read \(count ?? 0)") }
      }
      try Item.pot.insert(db)
      events.withLock { $0.append("written") }
    }
    try queue.read { _ in }
    #expect(events.withLock { $0 } == ["written", "read 2"])
  }

  @Test func `CON-13: a read returns its closure's result, and throws its closure's error`() throws
  {
    let shop = try Shop()
    for reader in [shop.pool, try queueWithItems()] as [any DatabaseReader] {
      let answer = try reader.read { db in
        (try Int.fetchOne(db, sql: "SELECT 42"), try String.fetchAll(db, sql: "SELECT 'cup'"))
      }
      #expect(answer == (42, ["cup"]))
      #expect(throws: Undo.self) { try reader.read { _ in throw Undo() } }
      expectDatabaseError(.SQLITE_ERROR, "no such table: missing") {
        _ = try reader.read { db in try Row.fetchAll(db, sql: "SELECT * FROM missing") }
      }
    }
  }

  @Test func `CON-15: inDatabase begins no transaction`() throws {
    let queue = try queueWithItems()
    let id = try queue.inDatabase { db in
      #expect(!db.isInsideTransaction)
      try Item.cup.insert(db)
      return db.lastInsertedRowID
    }
    #expect(id == 1)
    #expect(throws: Undo.self) {
      try queue.inDatabase { db in
        try Item.pot.insert(db)
        throw Undo()
      }
    }
    #expect(try items(queue) == [.cup, .pot])
  }

  @Test func `a read leaves no transaction open`() throws {
    let queue = try DatabaseQueue()
    try queue.read { db in
      try db.execute(sql: "COMMIT")
      #expect(!db.isInsideTransaction)
    }
    try queue.read { db in #expect(db.isInsideTransaction) }
    try queue.writeWithoutTransaction { db in #expect(!db.isInsideTransaction) }
  }

  @Test func `a read cannot run incremental_vacuum`() throws {
    let queue = try DatabaseQueue()
    try queue.writeWithoutTransaction { db in
      try db.execute(
        sql:
          "PRAGMA auto_vacuum = 2; VACUUM; CREATE TABLE t (x); INSERT INTO t VALUES (zeroblob(100000)); DELETE FROM t"
      )
    }
    let pages = try queue.read { db in try Int.fetchOne(db, sql: "PRAGMA page_count") }
    try? queue.read { db in try db.execute(sql: "PRAGMA incremental_vacuum") }
    let after = try queue.read { db in try Int.fetchOne(db, sql: "PRAGMA page_count") }
    #expect(pages == after)
  }

  @Test func `a queue in memory cannot be in WAL mode`() {
    var configuration = Configuration()
    configuration.journalMode = .wal
    expectDatabaseError(
      .SQLITE_CANTOPEN,
      "cannot change :memory: to WAL mode: it stays in mode memory"
    ) { _ = try DatabaseQueue(configuration: configuration) }
  }
}
