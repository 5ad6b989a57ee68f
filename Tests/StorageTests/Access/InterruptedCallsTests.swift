import CWellspringSQLite
import Testing

@testable import Storage
@testable import StorageTestSupport

/// Calls of SQLite that bypass ``Statement``: an access that is cancelled meanwhile throws
/// `CancellationError`, whichever call has noticed it.
@Suite struct InterruptedCallsTests {
  struct Call: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let run: @Sendable (Database) throws -> Void
  }

  static let calls = [
    Call(testDescription: "the schema version") { _ = try $0.versions.schemaVersion() },
    Call(testDescription: "the data version") { _ = try $0.versions.dataVersion() },
    Call(testDescription: "the temporary schema") { _ = try $0.versions.temporarySchemaVersion() },
    Call(testDescription: "the journal mode") { _ = try $0.mainJournalMode() },
    Call(testDescription: "a statement") { _ = try Int.fetchOne($0, sql: "SELECT 1") },
  ]

  @Test(arguments: calls) func `the error is that of the cancellation`(call: Call) throws {
    let queue = try DatabaseQueue()
    try queue.writeWithoutTransaction { db in
      // SQLite interrupts a statement at its start if another statement runs.
      let running = try Int.fetchCursor(db, sql: "VALUES (1), (2)")
      _ = try running.next()
      try call.run(db)
      sqlite3_interrupt(db.sqliteConnection)
      #expect(throws: DatabaseError.self) { try call.run(db) }
      db.cancellation.set(.cancelled)
      defer { db.cancellation.set(.none) }
      #expect(throws: CancellationError.self) { try call.run(db) }
    }
  }

  @Test func `the error of a wait for a lock is that of the cancellation`() throws {
    let file = try ForeignFile(.delete)
    let queue = try DatabaseQueue(path: file.path)
    let other = try SQLiteSession(file.path)
    other.runAndWait("BEGIN EXCLUSIVE")
    try queue.writeWithoutTransaction { db in
      db.cancellation.set(.cancelled)
      defer { db.cancellation.set(.none) }
      #expect(throws: CancellationError.self) { try db.takeSnapshot() }
    }
    other.endAndWait()
  }
}
