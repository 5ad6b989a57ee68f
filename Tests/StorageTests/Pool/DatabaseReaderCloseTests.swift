import Foundation
import Storage
import Testing
import TestSupport
import WellspringSystem

@testable import StorageTestSupport

@Suite struct DatabaseReaderCloseTests {
  private func expectClosed(_ body: () throws -> Void) {
    expectDatabaseError(.SQLITE_MISUSE, "the database is closed") { try body() }
  }

  @Test func `A-011: a closed database refuses accesses, and can be closed again`() async throws {
    let shop = try Shop()
    try shop.pool.close()
    try shop.pool.close()
    expectClosed { try shop.pool.read { _ in } }
    await #expect(throws: DatabaseError.self) {
      try await shop.pool.write { _ in }
    }
    let isRefused = Recorder<Bool>()
    shop.pool.asyncRead { result in
      isRefused.append((try? result.get()) == nil)
    }
    #expect(try await isRefused.nextValue())
    shop.pool.asyncWrite { db in
      try Item.fetchAll(db, sql: "SELECT * FROM item")
    } completion: { db, result in
      expectClosed { try db.execute(sql: "CREATE TABLE t (n)") }
      isRefused.append((try? result.get()) == nil)
    }
    #expect(try await isRefused.nextValue())
    shop.pool.asyncWriteWithoutTransaction { db in
      expectClosed { try db.inTransaction { .commit } }
      isRefused.append((try? Item.fetchAll(db, sql: "SELECT * FROM item")) == nil)
    }
    #expect(try await isRefused.nextValue())
  }

  @Test func `closing with a held statement is logged`() async {
    // The log is global to the process, so the test runs in a separate process.
    await #expect(processExitsWith: .success) {
      let entries = Lock<[String]>([])
      Database.logError = { code, message in
        entries.withLock { $0.append("\(code.rawValue) \(message)") }
      }
      let queue = try DatabaseQueue()
      let held = try queue.inDatabase { db in try db.makeStatement(sql: "SELECT 1") }
      #expect(throws: DatabaseError.self) { try queue.close() }
      let logged = entries.withLock { $0 }
      try #require(
        logged == ["5 :memory: cannot be closed: statements are still held: \(held.sql)"]
      )
    }
  }

  @Test func `A-011: closing fails and names the held statements until they are released`() throws {
    let directory = TemporaryDirectory()
    let queue = try DatabaseQueue(path: directory.file())
    var held: Statement? = try queue.inDatabase { db in
      try db.execute(sql: Item.schema)
      return try db.makeStatement(sql: "SELECT name FROM item")
    }
    let message = "\(queue.path) cannot be closed: statements are still held: SELECT name FROM item"
    expectDatabaseError(.SQLITE_BUSY, message) { try queue.close() }
    // The queue is not half open: accesses are refused, and the next call fails the same way.
    expectClosed { try queue.read { _ in } }
    expectDatabaseError(.SQLITE_BUSY, message) { try queue.close() }
    #expect(held?.sql == "SELECT name FROM item")
    held = nil
    try queue.close()
  }

  @Test func `A-011: a held cursor keeps its reader open`() throws {
    let shop = try Shop()
    var cursor: RowCursor? = try shop.pool.read { db in
      try Row.fetchCursor(db, sql: "SELECT * FROM item")
    }
    let error = #expect(throws: DatabaseError.self) { try shop.pool.close() }
    #expect(error?.message?.contains("SELECT * FROM item") == true)
    #expect(cursor != nil)
    cursor = nil
    try shop.pool.close()
  }
}
