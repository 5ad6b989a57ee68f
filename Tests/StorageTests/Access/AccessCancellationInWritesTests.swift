import Dispatch
@testable import Storage
import Testing

/// A cancellation that comes at an awkward moment stops this write, and no other.
@Suite struct CancelledWriteTests {
  /// Holds a write in the middle until its task has been cancelled.
  struct Gate: Sendable {
    let began = Recorder<Void>()
    let mayGoOn = DispatchSemaphore(value: 0)

    /// Called by the write.
    func pass() {
      began.append(())
      mayGoOn.wait()
    }

    /// Cancels the write when it has come to the gate.
    func cancel(_ write: Task<Void, any Error>) async throws {
      try await began.nextValue()
      write.cancel()
      mayGoOn.signal()
    }
  }

  private func ids(_ pool: DatabasePool) async throws -> [Int] {
    try await pool.write { db in try Int.fetchAll(db, sql: "SELECT id FROM item ORDER BY id") }
  }

  @Test func `a savepoint that fails does not take the cancellation with it`() async throws {
    struct Undo: Error {}
    let shop = try Shop()
    let pool = shop.pool
    let gate = Gate()
    let write = Task {
      try await pool.write { db in
        try db.execute(sql: "DELETE FROM item WHERE id = 1")
        try? db.inSavepoint {
          gate.pass()
          throw Undo()
        }
        try db.execute(sql: "DELETE FROM item WHERE id = 2")
      }
    }
    try await gate.cancel(write)
    await #expect(throws: CancellationError.self) { try await write.value }
    #expect(try await ids(pool) == [1, 2])
  }

  @Test func `a write with an open cursor ends with the error of a cancellation`() async throws {
    let shop = try Shop()
    let pool = shop.pool
    let gate = Gate()
    let write = Task {
      try await pool.write { db in
        let cursor = try Row.fetchCursor(db, sql: "SELECT id FROM item")
        while try cursor.next() != nil {
          gate.pass()
          try db.execute(sql: "INSERT INTO item (name) VALUES ('new')")
        }
      }
    }
    try await gate.cancel(write)
    await #expect(throws: CancellationError.self) { try await write.value }
    #expect(try await ids(pool) == [1, 2])
  }

  @Test func `a cancellation that comes early stays with its access`() throws {
    let db = try Database(path: ":memory:", configuration: Configuration(), role: .writer)
    defer { db.close() }
    let connection = Connection(db, label: "x")
    let cancellation = AccessCancellation()
    // The order in `ConnectionQueue.submit` when another thread serves the waiter at once.
    #expect(cancellation.begin(connection))
    cancellation.cancel()
    _ = cancellation.wait(giveUp: {})
    #expect(throws: CancellationError.self) { try cancellation.finish() }
    #expect(!db.cancellation.isRequested)
    try connection.access(.write) { db in try db.execute(sql: Item.schema) }
  }
}
