import Dispatch
import Storage
import Testing
import WellspringSystem

@testable import StorageTestSupport

@Suite struct DatabaseSnapshotTests {
  @Test func `A-014: a snapshot does not see later commits`() async throws {
    let shop = try Shop()
    let snapshot = try shop.pool.makeSnapshot()
    try await shop.pool.write { db in try db.execute(sql: "DELETE FROM item WHERE id = 1") }
    let later = try shop.pool.makeSnapshot()
    try await shop.pool.write { db in try db.execute(sql: "DROP TABLE item") }
    let sql = "SELECT name FROM item ORDER BY id"
    for _ in 0..<2 {
      #expect(
        try await snapshot.read { db in try String.fetchAll(db, sql: sql) } == ["cup", "pot"]
      )
      #expect(
        try await snapshot.read { db in try String.fetchAll(db, sql: sql) } == ["cup", "pot"]
      )
      #expect(try await later.unsafeRead { db in try String.fetchAll(db, sql: sql) } == ["pot"])
    }
    await #expect(throws: DatabaseError.self) {
      try await snapshot.read { db in try db.execute(sql: "DELETE FROM item") }
    }
    // A failed read does not change the snapshot.
    #expect(try await snapshot.read { db in try String.fetchAll(db, sql: sql) } == ["cup", "pot"])
    try snapshot.close()
    await #expect(throws: DatabaseError.self) { try await snapshot.read { _ in } }
  }

  @Test func `a cancelled read does not change the snapshot`() async throws {
    let shop = try Shop()
    let snapshot = try shop.pool.makeSnapshot()
    try await shop.pool.write { db in try db.execute(sql: "DELETE FROM item") }
    let began = Recorder<Void>()
    let read = Task {
      try await snapshot.read { db in
        began.append(())
        return try Int.fetchOne(db, sql: EndlessQuery.sql)
      }
    }
    try await began.nextValue()
    read.cancel()
    await #expect(throws: CancellationError.self) { try await read.value }
    let count = try await snapshot.read { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM item")
    }
    #expect(count == 2)
  }

  // SQLite ends the transaction of a read that fails with one of these errors.
  @Test(arguments: [ResultCode.SQLITE_IOERR, .SQLITE_FULL, .SQLITE_NOMEM])
  func `a snapshot that has lost its transaction shows no later state`(code: ResultCode) throws {
    let shop = try Shop(.failing(with: code))
    let snapshot = try shop.pool.makeSnapshot()
    try shop.pool.write { db in try db.execute(sql: "DELETE FROM item") }
    let count = "SELECT count(*) FROM item"
    try snapshot.read { db throws in
      #expect(try Int.fetchOne(db, sql: count) == 2)
      expectDatabaseError(code, "it fails") {
        _ = try Int.fetchOne(db, sql: "SELECT count(*) + fail() FROM sqlite_schema")
      }
      expectDatabaseError(
        .SQLITE_ABORT,
        "SQLite has rolled the transaction back after an earlier error"
      ) { _ = try Int.fetchOne(db, sql: count) }
    }
    let message =
      "the snapshot was lost: SQLite ended its transaction after an error; make another one"
    expectDatabaseError(.SQLITE_ABORT, message) {
      _ = try snapshot.read { db in try Int.fetchOne(db, sql: count) }
    }
    expectDatabaseError(.SQLITE_ABORT, message) {
      _ = try snapshot.unsafeRead { db in try Int.fetchOne(db, sql: count) }
    }
  }

  @Test func `an observation of a snapshot delivers one value`() async throws {
    let shop = try Shop()
    let snapshot = try shop.pool.makeSnapshot()
    let (recorder, cancellable) = Shop.items.record(in: snapshot)
    #expect(try await recorder.nextValue() == [.cup, .pot])
    cancellable.cancel()
  }

  @Test func `a snapshot that is made inside a write sees the commits of that write`() throws {
    let shop = try Shop()
    let snapshot = try shop.pool.writeWithoutTransaction { db in
      try db.execute(sql: "DELETE FROM item WHERE id = 1")
      return try shop.pool.makeSnapshot()
    }
    #expect(try snapshot.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM item") } == 1)
  }

  @Test func `A-007: a snapshot inside a transaction throws, and the message says what to do`()
    throws
  {
    let shop = try Shop()
    _ = try shop.pool.write { _ in
      expectDatabaseError(
        .SQLITE_MISUSE,
        """
        a snapshot was made inside a transaction, and cannot see the changes of that transaction: \
        make it after the transaction, in the closure of writeWithoutTransaction
        """
      ) { _ = try shop.pool.makeSnapshot() }
    }
  }

  // MARK: Concurrent reads

  private static let count = "SELECT count(*) FROM item"

  @Test func `A-006: a concurrent read sees earlier commits, and no later ones`() async throws {
    let shop = try Shop()
    let pool = shop.pool
    let mayRead = DispatchSemaphore(value: 0)
    let counts = Recorder<Int?>()
    try await pool.writeWithoutTransaction { db in
      try db.execute(sql: "DELETE FROM item WHERE id = 1")
      pool.spawnConcurrentRead { db in
        mayRead.wait()
        counts.append(try? Int.fetchOne(db.get(), sql: Self.count))
      }
      try db.execute(sql: "DELETE FROM item")
    }
    try await pool.write { db in
      try db.execute(sql: "INSERT INTO item (name) VALUES ('a'), ('b')")
    }
    mayRead.signal()
    #expect(try await counts.nextValue() == 1)
  }

  @Test func `A-006: waiting for a concurrent read returns its value, or throws its error`() throws
  {
    let shop = try Shop()
    let (count, failure) = try shop.pool.writeWithoutTransaction { db in
      (
        shop.pool.concurrentRead { db in try Int.fetchOne(db, sql: Self.count) },
        shop.pool.concurrentRead { db in try Int.fetchOne(db, sql: "SELECT missing") }
      )
    }
    #expect(try count.wait() == 2)
    #expect(try count.wait() == 2)
    #expect(throws: DatabaseError.self) { try failure.wait() }
  }

  @Test func `A-006: a concurrent read of a queue ends before the call returns`() throws {
    let queue = try DatabaseQueue()
    let isDone = Lock(false)
    try queue.inDatabase { db in
      try db.execute(sql: Item.schema)
      queue.spawnConcurrentRead { db in
        #expect(throws: DatabaseError.self) { try db.get().execute(sql: "DELETE FROM item") }
        isDone.withLock { $0 = true }
      }
      #expect(isDone.withLock { $0 })
    }
  }

  @Test func `A-006: a concurrent read that fails at its end is called back once`() throws {
    let queue = try DatabaseQueue(configuration: .failing(with: .SQLITE_FULL))
    let calls = Lock(0)
    try queue.writeWithoutTransaction { _ in
      queue.spawnConcurrentRead { result in
        calls.withLock { $0 += 1 }
        // SQLite ends the transaction of the read.
        #expect(throws: DatabaseError.self) {
          _ = try Int.fetchOne(result.get(), sql: "SELECT count(*) + fail() FROM sqlite_schema")
        }
      }
    }
    #expect(calls.withLock { $0 } == 1)
  }

  @Test(arguments: [true, false])
  func `A-007: a misplaced concurrent read fails, and the message says what to do`(
    inside: Bool
  ) throws {
    let shop = try Shop()
    let result = Lock<(any Error)?>(nil)
    let read: @Sendable (Result<Database, any Error>) -> Void = { db in
      result.withLock { result in if case .failure(let error) = db { result = error } }
    }
    if inside {
      try shop.pool.write { _ in shop.pool.spawnConcurrentRead(read) }
    } else {
      shop.pool.spawnConcurrentRead(read)
    }
    let error = try #require(result.withLock { $0 } as? DatabaseError)
    #expect(error.resultCode == .SQLITE_MISUSE)
    let text = error.message ?? ""
    #expect(text.contains("started \(inside ? "inside a transaction" : "outside a write")"))
    #expect(text.contains("in the closure of writeWithoutTransaction"))
  }
}

extension Configuration {
  /// A configuration with a function `fail()` that throws an error.
  fileprivate static func failing(with code: ResultCode) -> Configuration {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      db.add(
        function: DatabaseFunction("fail", argumentCount: 0) { _ in
          throw DatabaseError(resultCode: code, message: "it fails")
        }
      )
    }
    return configuration
  }
}
