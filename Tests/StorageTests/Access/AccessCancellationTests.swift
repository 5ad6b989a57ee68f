import Dispatch
import Glibc
import Testing
import TestSupport
import WellspringSystem

@testable import Storage
@testable import StorageTestSupport

@Suite struct AccessCancellationTests {
  /// Wakes a waiting task when something has begun.
  struct Signal: Sendable {
    private let stream = AsyncStream.makeStream(of: Void.self)

    func send() { stream.continuation.yield() }
    func wait() async { for await _ in stream.stream { return } }
  }

  func count(_ pool: DatabasePool) throws -> Int? {
    try pool.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM item") }
  }

  @Test func `a cancelled read stops its query, and the next read works`() async throws {
    var configuration = Configuration()
    configuration.maximumReaderCount = 1
    let shop = try Shop(configuration)
    let pool = shop.pool
    for _ in 0..<20 {
      let began = Signal()
      let read = Task {
        try await pool.read { db in
          began.send()
          return try Int.fetchOne(db, sql: EndlessQuery.sql)
        }
      }
      await began.wait()
      read.cancel()
      await #expect(throws: CancellationError.self) { try await read.value }
      #expect(try count(pool) == 2)
    }
  }

  @Test func `a cancelled write that waits for the lock of another process throws`() async throws {
    let waits = Signal()
    var configuration = Configuration()
    configuration.busyMode = .callback { _ in
      waits.send()
      usleep(1000)
      return true
    }
    let shop = try Shop(configuration)
    var unsafe = Configuration()
    unsafe.allowsUnsafeTransactions = true
    let other = try DatabaseQueue(path: shop.path, configuration: unsafe)
    try await other.writeWithoutTransaction { db in try db.beginTransaction(.immediate) }
    let write = Task {
      try await shop.pool.write { db in try db.execute(sql: "DELETE FROM item") }
    }
    await waits.wait()
    write.cancel()
    await #expect(throws: CancellationError.self) { try await write.value }
    try await other.writeWithoutTransaction { db in try db.rollback() }
    #expect(try count(shop.pool) == 2)
  }

  @Test func `a cancelled write is undone, and the next write works`() async throws {
    let shop = try Shop()
    let pool = shop.pool
    for _ in 0..<20 {
      let began = Signal()
      let write = Task {
        try await pool.write { db in
          try db.execute(sql: "DELETE FROM item")
          began.send()
          try db.execute(sql: "INSERT INTO item (name) \(EndlessQuery.sql)")
        }
      }
      await began.wait()
      write.cancel()
      await #expect(throws: CancellationError.self) { try await write.value }
      #expect(try count(pool) == 2)
    }
    try await pool.write { db in try db.execute(sql: "DELETE FROM item") }
    #expect(try count(pool) == 0)
  }

  @Test func `a cancellation between two statements stops the write`() async throws {
    let shop = try Shop()
    let pool = shop.pool
    let began = Signal()
    let mayGoOn = DispatchSemaphore(value: 0)
    let write = Task {
      try await pool.write { db in
        try db.execute(sql: "DELETE FROM item")
        began.send()
        mayGoOn.wait()
        // No statement follows that could fail, and still nothing may be written.
      }
    }
    await began.wait()
    write.cancel()
    mayGoOn.signal()
    await #expect(throws: CancellationError.self) { try await write.value }
    #expect(try count(pool) == 2)
  }

  @Test func `a cancelled write inside savepoints is undone`() async throws {
    let shop = try Shop()
    let pool = shop.pool
    let began = Signal()
    let write = Task {
      try await pool.write { db in
        try db.inSavepoint {
          try db.execute(sql: "DELETE FROM item")
          try db.inSavepoint {
            began.send()
            _ = try Int.fetchOne(db, sql: EndlessQuery.sql)
            return .commit
          }
          return .commit
        }
      }
    }
    await began.wait()
    write.cancel()
    await #expect(throws: CancellationError.self) { try await write.value }
    #expect(try count(pool) == 2)
  }

  @Test func `a task that is cancelled before its access never begins it`() async throws {
    let shop = try Shop()
    let pool = shop.pool
    let mayBegin = Signal()
    let task = Task {
      await mayBegin.wait()
      try await pool.write { _ -> Void in Issue.record("the write began") }
    }
    task.cancel()
    mayBegin.send()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try count(pool) == 2)
  }

  @Test func `a cancelled task leaves the queue while other tasks keep waiting`() async throws {
    let shop = try Shop()
    let pool = shop.pool
    let began = Signal()
    let mayEnd = DispatchSemaphore(value: 0)
    let order = Lock<[String]>([])
    let holder = Task {
      try await pool.write { _ in
        began.send()
        mayEnd.wait()
      }
    }
    await began.wait()
    let waiting = (1...10).map { number in
      Task<Void, any Error> {
        try await pool.write { _ -> Void in
          order.withLock { $0.append("\(number)") }
        }
      }
    }
    for task in waiting.dropFirst(5) { task.cancel() }
    // The cancelled tasks end although the writer is still held.
    for task in waiting.dropFirst(5) {
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    #expect(order.withLock { $0 } == [])
    mayEnd.signal()
    try await holder.value
    for task in waiting.prefix(5) { try await task.value }
    #expect(Set(order.withLock { $0 }) == ["1", "2", "3", "4", "5"])
  }

  @Test func `a write that is cancelled after its commit returns its result`() async throws {
    let shop = try Shop()
    let pool = shop.pool
    let write = Task {
      let id = try await pool.write { db in
        try Item(id: 3, name: "jug", price: nil).insert(db)
        return db.lastInsertedRowID
      }
      withUnsafeCurrentTask { $0?.cancel() }
      return id
    }
    #expect(try await write.value == 3)
    #expect(try count(pool) == 3)
  }

  @Test func `a cancellation right after the access begins is not lost`() throws {
    let db = try Database(path: ":memory:", configuration: Configuration(), role: .writer)
    let connection = PooledConnection(db, label: "x")
    let cancellation = AccessCancellation()
    // The order in `ConnectionQueue.submit` when another thread serves the waiter immediately.
    #expect(cancellation.begin(connection))
    _ = cancellation.wait(giveUp: {})
    cancellation.cancel()
    #expect(throws: CancellationError.self) { try cancellation.finish() }
    db.close()
  }

  @Test func `an early cancellation does not reach the next access`() throws {
    let db = try Database(path: ":memory:", configuration: Configuration(), role: .writer)
    defer { db.close() }
    let connection = PooledConnection(db, label: "x")
    let cancellation = AccessCancellation()
    // The order in `ConnectionQueue.submit` when another thread serves the waiter immediately.
    #expect(cancellation.begin(connection))
    cancellation.cancel()
    _ = cancellation.wait(giveUp: {})
    #expect(throws: CancellationError.self) { try cancellation.finish() }
    #expect(!db.cancellation.isRequested)
    try connection.access(.write) { db in try db.execute(sql: Item.schema) }
  }

  @Test func `soak: random cancellations lose no write and leave the pool usable`() async throws {
    var configuration = Configuration()
    configuration.maximumReaderCount = 2
    let shop = try Shop(configuration)
    let pool = shop.pool
    try await pool.write { db in try db.execute(sql: "CREATE TABLE t (n)") }
    let work = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3000) "
    var written = 0
    for _ in 0..<Soak.size(5000, inSuite: 50) {
      let tasks = (0..<20).map { index in
        Task {
          if index.isMultiple(of: 3) {
            _ = try await pool.read { db in
              try Int.fetchOne(db, sql: work + "SELECT sum(i) FROM n")
            }
            return 0
          }
          return try await pool.write { db in
            try db.execute(sql: "INSERT INTO t VALUES (1)")
            _ = try Int.fetchOne(db, sql: work + "SELECT sum(i) FROM n")
            try db.execute(sql: "INSERT INTO t VALUES (1)")
            return 2
          }
        }
      }
      for task in tasks.shuffled() {
        for _ in 0..<Int.random(in: 0..<30) { await Task.yield() }
        task.cancel()
      }
      for task in tasks {
        do {
          written += try await task.value
        } catch is CancellationError {
        }
      }
    }
    let count = try await pool.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM t") }
    #expect(count == written)
    for _ in 0..<5 {
      try await pool.write { db in try db.execute(sql: "DELETE FROM t") }
      #expect(try self.count(pool) == 2)
    }
  }

  typealias Access =
    @Sendable (
      DatabasePool, @escaping @Sendable (Database) throws -> Int
    ) async throws -> Int

  static let accesses: [(name: String, run: Access)] = [
    ("read", { pool, body in try await pool.read(body) }),
    ("unsafeRead", { pool, body in try await pool.unsafeRead(body) }),
    ("writeWithoutTransaction", { pool, body in try await pool.writeWithoutTransaction(body) }),
    ("barrier", { pool, body in try await pool.barrierWriteWithoutTransaction(body) }),
  ]

  @Test(arguments: 0..<accesses.count)
  func `an access that is cancelled when its closure is done returns its result`(
    index: Int
  ) async throws {
    let shop = try Shop()
    let pool = shop.pool
    for _ in 0..<10 {
      let isDone = Signal()
      let mayReturn = DispatchSemaphore(value: 0)
      let access = Task {
        try await Self.accesses[index].run(pool) { db in
          let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM item") ?? 0
          isDone.send()
          mayReturn.wait()
          return count
        }
      }
      await isDone.wait()
      access.cancel()
      mayReturn.signal()
      #expect(try await access.value == 2)
      // The next access to the connection is not cancelled.
      #expect(try await Self.accesses[index].run(pool) { _ in 7 } == 7)
    }
  }

  @Test func `a commit of a cancelled access is reported when its closure returns`() async throws {
    let shop = try Shop()
    let pool = shop.pool
    let isDone = Signal()
    let mayReturn = DispatchSemaphore(value: 0)
    let write = Task {
      try await pool.writeWithoutTransaction { db in
        try db.execute(sql: "DELETE FROM item")
        isDone.send()
        mayReturn.wait()
        return db.changesCount
      }
    }
    await isDone.wait()
    write.cancel()
    mayReturn.signal()
    #expect(try await write.value == 2)
    #expect(try count(pool) == 0)
  }
}
