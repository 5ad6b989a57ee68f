import Dispatch
import Foundation
import Testing
import TestSupport
import WellspringSystem

@testable import Storage
@testable import StorageTestSupport

/// Which accesses wait for which, observed through pools and queues.
@Suite struct ConnectionQueueTests {
  static let count = "SELECT count(*) FROM item"

  @Test func `accesses are served in the order of their requests`() async throws {
    let shop = try Shop()
    let writers = try #require(shop.pool.core.writers)
    let mayEnd = DispatchSemaphore(value: 0)
    let order = Lock<[Int]>([])
    let recorder = Recorder<Int>()
    writers.submit(.write) { _ in
      mayEnd.wait()
    } completion: { _ in
    }
    for number in 0..<200 {
      writers.submit(.write) { _ in
        order.withLock { $0.append(number) }
      } completion: { _ in
        recorder.append(number)
      }
    }
    mayEnd.signal()
    _ = try await recorder.value { $0 == 199 }
    #expect(order.withLock { $0 } == Array(0..<200))
  }

  @Test func `accessIfIdle does nothing while the connection is in use`() throws {
    let shop = try Shop()
    let writers = try #require(shop.pool.core.writers)
    #expect(writers.accessIfIdle(.read) { _ in 1 } == 1)
    try shop.pool.write { _ in
      #expect(writers.accessIfIdle(.read) { _ in 1 } == nil)
    }
    #expect(writers.accessIfIdle(.read) { _ in 2 } == 2)
  }

  // MARK: Closing

  @Test func `closing waits for running accesses, and fails later ones`() async throws {
    let shop = try Shop()
    let pool = shop.pool
    let began = AsyncStream.makeStream(of: Void.self)
    let mayEnd = DispatchSemaphore(value: 0)
    let write = Task {
      try await pool.write { db in
        try Item(id: 3, name: "jug", price: nil).insert(db)
        began.continuation.yield()
        mayEnd.wait()
        try Item(id: 4, name: "can", price: nil).insert(db)
      }
    }
    for await _ in began.stream { break }
    let waiting = Task { try await pool.write { _ in } }
    let events = Recorder<String>()
    Thread.detachNewThread {
      try? pool.close()
      events.append("closed")
    }
    // The waiting write fails as soon as the pool closes, while the running write still runs.
    let error = await #expect(throws: DatabaseError.self) { try await waiting.value }
    #expect(error?.isDatabaseClosed == true)
    events.append("running")
    mayEnd.signal()
    try await write.value
    #expect(try await events.nextValue() == "running")
    #expect(try await events.nextValue() == "closed")

    expectDatabaseError(.SQLITE_MISUSE, "the database is closed") { try pool.read { _ in } }
    expectDatabaseError(.SQLITE_MISUSE, "the database is closed") { try pool.write { _ in } }
    await #expect(throws: DatabaseError.self) { try await pool.read { _ in } }
    await #expect(throws: DatabaseError.self) { try await pool.write { _ in } }
    try pool.close()
    #expect(try SQLiteShell.run(shop.path, Self.count) == "4")
  }

  @Test func `closing a pool removes the WAL and keeps its content`() throws {
    let shop = try Shop()
    _ = try shop.pool.read { db in try Int.fetchOne(db, sql: Self.count) }
    try shop.pool.close()
    let files = try FileManager.default.contentsOfDirectory(atPath: shop.directory.path)
    #expect(files == ["test.sqlite"])
    #expect(try SQLiteShell.run(shop.path, Self.count) == "2")
  }

  @Test func `a pool closes when its last reference is released`() throws {
    let directory = TemporaryDirectory()
    var pool: DatabasePool? = try DatabasePool(path: directory.file())
    try pool?.write { db in try db.execute(sql: Item.schema) }
    _ = try pool?.read { db in try Int.fetchOne(db, sql: Self.count) }
    weak let core = pool?.core
    pool = nil
    #expect(core == nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["test.sqlite"])
  }

  // MARK: Accesses inside accesses

  static let reentrance = """
    a database was accessed inside another access to it, which would deadlock: use the db of the \
    outer access, or call after it has ended
    """

  @Test func `a write inside a write throws, and the message says what to do instead`() throws {
    let shop = try Shop()
    try shop.pool.write { db in
      expectDatabaseError(.SQLITE_MISUSE, Self.reentrance) { try shop.pool.write { _ in } }
      expectDatabaseError(.SQLITE_MISUSE, Self.reentrance) {
        try shop.pool.writeWithoutTransaction { _ in }
      }
      // The outer access continues.
      try db.execute(sql: "DELETE FROM item WHERE id = 1")
    }
    #expect(try shop.pool.read { db in try Int.fetchOne(db, sql: Self.count) } == 1)
  }

  @Test func `a read inside a read throws, and the message says what to do instead`() throws {
    let shop = try Shop()
    try shop.pool.read { db throws in
      expectDatabaseError(.SQLITE_MISUSE, Self.reentrance) { try shop.pool.read { _ in } }
      #expect(try Int.fetchOne(db, sql: Self.count) == 2)
    }
  }

  @Test func `a read of a queue inside an async write throws`() async throws {
    let queue = try DatabaseQueue()
    try await queue.write { db in
      expectDatabaseError(.SQLITE_MISUSE, Self.reentrance) { try queue.read { _ in } }
      try db.execute(sql: "CREATE TABLE t (a)")
    }
    #expect(try await queue.read { db in try db.tableExists("t") })
  }

  @Test func `closing inside an access throws, and the message says why`() throws {
    let shop = try Shop()
    _ = try shop.pool.read { _ in
      expectDatabaseError(
        .SQLITE_MISUSE,
        """
        close() was called inside an access to the database, and would wait for that access to end: \
        call it after the access
        """
      ) { try shop.pool.close() }
    }
    #expect(try shop.pool.read { db in try Int.fetchOne(db, sql: Self.count) } == 2)
  }

  @Test func `accesses to different pools may nest`() throws {
    let shop = try Shop()
    let other = try Shop()
    let count = try shop.pool.write { db in
      try other.pool.write { otherDB in
        for item in try Item.fetchAll(db, sql: "SELECT * FROM item") { try item.delete(otherDB) }
        return try shop.pool.read { db in try Int.fetchOne(db, sql: Self.count) }
      }
    }
    #expect(count == 2)
    #expect(try other.pool.read { db in try Int.fetchOne(db, sql: Self.count) } == 0)
  }
}
