@testable import Storage
import Testing

@Suite struct UndoneTransactionTests {
  @Test func `a transaction that SQLite undid does not count as committed`() throws {
    let shop = try Shop()
    #expect(throws: (any Error).self) {
      try shop.pool.write { db in
        try db.execute(sql: "INSERT INTO item VALUES (3, 'acknowledged', 1)")
        try? db.execute(sql: "INSERT OR ROLLBACK INTO item VALUES (1, 'dup', 1)")
      }
    }
  }

  @Test func `nothing is written after SQLite undid the transaction`() throws {
    struct Undo: Error {}
    let shop = try Shop()
    try? shop.pool.write { db in
      try? db.execute(sql: "INSERT OR ROLLBACK INTO item VALUES (1, 'dup', 1)")
      try db.execute(sql: "INSERT INTO item VALUES (4, 'leaked', 1)")
      throw Undo()
    }
    let names = try shop.pool.read { db in try String.fetchAll(db, sql: "SELECT name FROM item") }
    #expect(names == ["cup", "pot"])
  }

  @Test func `a swallowed cancellation in a savepoint still cancels the write`() async throws {
    let shop = try Shop()
    let pool = shop.pool
    let began = AsyncStream.makeStream(of: Void.self)
    let write = Task {
      try await pool.write { db in
        try? db.inSavepoint {
          began.continuation.yield()
          _ = try Int.fetchOne(db, sql: CancellationTests.endless)
          return .commit
        }
        try db.execute(sql: "DELETE FROM item")
      }
    }
    for await _ in began.stream { break }
    write.cancel()
    await #expect(throws: CancellationError.self) { try await write.value }
  }
}
