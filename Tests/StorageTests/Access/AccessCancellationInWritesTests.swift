import Dispatch
import Testing

@testable import Storage
@testable import StorageTestSupport

/// Cancellations at awkward moments stop their own write, and no other.
@Suite struct AccessCancellationInWritesTests {
  /// Holds a write in the middle until its task has been cancelled.
  struct Gate: Sendable {
    let began = Recorder<Void>()
    let mayGoOn = DispatchSemaphore(value: 0)

    /// Blocks the write until `cancel(_:)` is called.
    func pass() {
      began.append(())
      mayGoOn.wait()
    }

    /// Cancels the write once it has reached the gate.
    func cancel(_ write: Task<Void, any Error>) async throws {
      try await began.nextValue()
      write.cancel()
      mayGoOn.signal()
    }
  }

  private func ids(_ pool: DatabasePool) async throws -> [Int] {
    try await pool.write { db in try Int.fetchAll(db, sql: "SELECT id FROM item ORDER BY id") }
  }

  @Test func `a failing savepoint does not swallow the cancellation`() async throws {
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

  @Test func `a cancelled write with an open cursor throws CancellationError`() async throws {
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
}
