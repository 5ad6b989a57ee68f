import Dispatch
import Testing
import WellspringSystem

@testable import Storage
@testable import StorageTestSupport

@Suite struct UnsafeAccessTests {
  private func count(_ db: Database) throws -> Int {
    try Int.fetchOne(db, sql: "SELECT count(*) FROM item") ?? -1
  }

  @Test func `A-005: an unsafe read sees each commit, and cannot write`() throws {
    let shop = try Shop()
    try shop.pool.unsafeRead { db in
      #expect(!db.isInsideTransaction)
      #expect(try count(db) == 2)
      try shop.pool.write { db in try db.execute(sql: "DELETE FROM item WHERE id = 1") }
      #expect(try count(db) == 1)
      #expect(throws: DatabaseError.self) { try db.execute(sql: "DELETE FROM item") }
    }
  }

  @Test func `A-005: an async unsafe read is not in a transaction`() async throws {
    let shop = try Shop()
    let isInside = try await shop.pool.unsafeRead { db in db.isInsideTransaction }
    #expect(!isInside)
  }

  @Test func `A-005: reentrant accesses use the current access of the thread`() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(sql: Item.schema)
      try queue.unsafeReentrantWrite { inner in
        #expect(inner === db)
        try Item.cup.insert(inner)
      }
      try queue.unsafeReentrantRead { inner throws in
        #expect(inner === db)
        #expect(try count(inner) == 1)
        #expect(throws: DatabaseError.self) { try Item.pot.insert(inner) }
      }
      try Item.pot.insert(db)
    }
    #expect(try queue.unsafeReentrantRead(count) == 2)
    try queue.unsafeReentrantWrite { db in try db.execute(sql: "DELETE FROM item") }
    let shop = try Shop()
    try shop.pool.write { db in
      try db.execute(sql: "DELETE FROM item")
      try shop.pool.unsafeReentrantRead { inner throws in
        #expect(inner === db)
        #expect(try count(inner) == 0)
        expectDatabaseError(
          .SQLITE_READONLY,
          "attempt to write through a read-only access: use write instead of read"
        ) { try Item.pot.insert(inner) }
      }
      // In a pool, another connection reads.
      try shop.pool.read { reader in
        #expect(reader !== db)
        #expect(try count(reader) == 2)
        try shop.pool.unsafeReentrantRead { inner in #expect(inner === reader) }
      }
    }
    try shop.pool.read { db in
      try shop.pool.unsafeReentrantRead { inner in #expect(inner === db) }
    }
  }

  @Test func `A-005: an async writeWithoutTransaction commits each statement`()
    async throws
  {
    let shop = try Shop()
    await #expect(throws: DatabaseError.self) {
      try await shop.pool.writeWithoutTransaction { db in
        #expect(!db.isInsideTransaction)
        try db.execute(sql: "DELETE FROM item WHERE id = 1")
        try db.execute(sql: "DELETE FROM missing")
      }
    }
    #expect(try await shop.pool.read { db in try count(db) } == 1)
  }

  @Test func `A-005: a barrier write waits for reads, and later reads wait for it`() async throws {
    let shop = try Shop()
    let pool = shop.pool
    let events = Recorder<String>()
    let mayEnd = DispatchSemaphore(value: 0)
    pool.asyncRead { _ in
      events.append("read")
      mayEnd.wait()
      events.append("read ends")
    }
    #expect(try await events.nextValue() == "read")
    // A second reader, which is idle.
    _ = try await pool.read { db in try count(db) }
    pool.asyncBarrierWriteWithoutTransaction { result in
      events.append("barrier")
      #expect(throws: Never.self) { try result.get().execute(sql: "DELETE FROM item") }
      events.append("barrier ends")
    }
    // The barrier is up as soon as an idle reader is no longer lent.
    DispatchQueue.global().async {
      while pool.core.readers.accessIfIdle(.read, { _ in }) != nil {}
      pool.asyncRead { result in
        events.append("later read of \((try? count(result.get())) ?? -1)")
      }
      mayEnd.signal()
    }
    var order: [String] = []
    for _ in 0..<4 { order.append(try await events.nextValue()) }
    #expect(order == ["read ends", "barrier", "barrier ends", "later read of 0"])
  }

  @Test func `A-005: a cancelled barrier write stops waiting`() async throws {
    let shop = try Shop()
    let pool = shop.pool
    let began = Recorder<Void>()
    let mayEnd = DispatchSemaphore(value: 0)
    pool.asyncRead { _ in
      began.append(())
      mayEnd.wait()
    }
    try await began.nextValue()
    let write = Task {
      try await pool.barrierWriteWithoutTransaction { db in try db.execute(sql: "DELETE FROM item")
      }
    }
    write.cancel()
    await #expect(throws: CancellationError.self) { try await write.value }
    mayEnd.signal()
    #expect(try await pool.read { db in try count(db) } == 2)
  }

  @Test func `A-007: a barrier write inside a read throws, and the message says what to do`() throws
  {
    let shop = try Shop()
    _ = try shop.pool.read { _ in
      expectDatabaseError(
        .SQLITE_MISUSE,
        """
        barrierWriteWithoutTransaction was called inside a read, and would wait for that read to \
        end: call it after the read
        """
      ) { try shop.pool.barrierWriteWithoutTransaction { _ in } }
    }
  }

  @Test func `A-007: a read inside a barrier write throws, and the message says what to do`() throws
  {
    let shop = try Shop()
    let pool = shop.pool
    let message = """
      a database was accessed inside another access to it, which would deadlock: use the db of the \
      outer access, or call after it has ended
      """
    try pool.barrierWriteWithoutTransaction { db in
      expectDatabaseError(.SQLITE_MISUSE, message) { _ = try pool.read { _ in } }
      expectDatabaseError(.SQLITE_MISUSE, message) {
        try pool.barrierWriteWithoutTransaction { _ in }
      }
      let concurrent = Lock((any Error)?.none)
      pool.spawnConcurrentRead { result in
        if case .failure(let error) = result { concurrent.withLock { $0 = error } }
      }
      let error = concurrent.withLock { $0 as? DatabaseError }
      #expect(error?.resultCode == .SQLITE_MISUSE)
      #expect(error?.message?.hasSuffix("read with the db of that write") == true)
      let first = Lock((any Error)?.none)
      Shop.items.start(
        in: pool,
        scheduling: .immediate,
        onError: { error in first.withLock { $0 = error } },
        onChange: { _ in }
      )
      .cancel()
      #expect(first.withLock { ($0 as? DatabaseError)?.resultCode } == .SQLITE_MISUSE)
    }
    let later = try pool.read { db in try count(db) }
    #expect(later == 2)
  }

  @Test func `A-008: a write inside readOnly is refused`() throws {
    let shop = try Shop()
    try shop.pool.write { db in
      try db.readOnly { () throws in
        #expect(try count(db) == 2)
        expectDatabaseError(
          .SQLITE_READONLY,
          "attempt to write through a read-only access: use write instead of read"
        ) {
          try db.execute(sql: "DELETE FROM item")
        }
      }
      try db.execute(sql: "DELETE FROM item")
    }
    #expect(try shop.pool.read { db in try count(db) } == 0)
  }
}
