import Dispatch
import Foundation
@testable import Storage
import Testing
import WellspringPlatform

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
    // The waiting write fails as soon as the pool closes, while the first one still runs.
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

  /// What a process writes to its standard error when it stops.
  func message(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }

  static let reentrance = "A database was accessed inside another access to it"

  @Test func `a write inside a write traps, and the message says what to do instead`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let shop = try Shop()
      try shop.pool.write { _ in try shop.pool.write { _ in } }
    }
    #expect(message(result).contains(Self.reentrance))
    #expect(message(result).contains("Use the `db` of the outer access, or call after"))
  }

  @Test func `a read inside a read traps, and the message says what to do instead`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let shop = try Shop()
      try shop.pool.read { _ in try shop.pool.read { _ in } }
    }
    #expect(message(result).contains(Self.reentrance))
  }

  @Test func `a read of a queue inside an async write traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let queue = try DatabaseQueue()
      try await queue.write { _ in try queue.read { _ in } }
    }
    #expect(message(result).contains(Self.reentrance))
  }

  @Test func `closing inside an access traps, and the message says why`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let shop = try Shop()
      try shop.pool.read { _ in try shop.pool.close() }
    }
    #expect(message(result).contains("close() was called inside an access to the database"))
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
