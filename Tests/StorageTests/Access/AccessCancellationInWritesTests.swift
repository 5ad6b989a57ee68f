import CWellspringSQLite
import Dispatch
import TestSupport
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

  struct Rollback: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Begins a transaction, and rolls it back after a cancellation.
    let run: @Sendable (Database) throws -> Void
  }

  static let rollbacks = [
    Rollback(testDescription: "inTransaction") { db in
      try db.inTransaction {
        db.cancellation.set(.cancelled)
        return .rollback
      }
    },
    Rollback(testDescription: "inSavepoint") { db in
      try db.inSavepoint {
        db.cancellation.set(.cancelled)
        return .rollback
      }
    },
    Rollback(testDescription: "inSavepoint in a transaction") { db in
      try db.inTransaction {
        try db.execute(sql: "INSERT INTO t VALUES (1)")
        try db.inSavepoint {
          try db.execute(sql: "INSERT INTO t VALUES (2)")
          db.cancellation.set(.cancelled)
          return .rollback
        }
        db.cancellation.set(.none)
        #expect(try Int.fetchAll(db, sql: "SELECT a FROM t") == [1])
        db.cancellation.set(.cancelled)
        return .rollback
      }
    },
    Rollback(testDescription: "rollback()") { db in
      try db.beginTransaction()
      db.cancellation.set(.cancelled)
      try db.rollback()
    },
  ]

  @Test(arguments: rollbacks)
  func `a cancellation does not stop a rollback`(rollback: Rollback) throws {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let queue = try DatabaseQueue(configuration: configuration)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "CREATE TABLE t (a)")
      try rollback.run(db)
      #expect(!db.isInsideTransaction)
      #expect(db.cancellation.request == .cancelled)
      db.cancellation.set(.none)
      #expect(try Int.fetchAll(db, sql: "SELECT a FROM t") == [])
    }
  }

  // An open cursor keeps the interrupt of a cancellation, so that no statement can be compiled.
  @Test(arguments: [false, true])
  func `a cancellation during a statement that is compiled again does not undo it`(
    withCursor: Bool
  ) throws {
    let queue = try DatabaseQueue()
    try queue.writeWithoutTransaction { db in
      let cancellation = db.cancellation
      nonisolated(unsafe) let connection = db.sqliteConnection
      db.add(
        function: DatabaseFunction("cancel", argumentCount: 0) { _ in
          cancellation.set(.cancelled)
          if withCursor { sqlite3_interrupt(connection) }
          return 1
        }
      )
      try db.execute(sql: "CREATE TABLE t (a)")
      let statement = try db.makeStatement(sql: "INSERT INTO t VALUES (cancel())")
      db.expireStatements()
      let cursor = withCursor ? try Int.fetchCursor(db, sql: "VALUES (1), (2)") : nil
      _ = try cursor?.next()
      try statement.execute()
      #expect(cancellation.request == .cancelled)
      cancellation.set(.none)
      withExtendedLifetime(cursor) {}
    }
    let values = try queue.read { db in try Int.fetchAll(db, sql: "SELECT a FROM t") }
    #expect(values == [1])
  }

  @Test func `a rollback that an open cursor prevents throws the error of the cancellation`() throws
  {
    let queue = try DatabaseQueue()
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "CREATE TABLE t (a)")
      #expect(throws: CancellationError.self) {
        try db.inTransaction {
          let cursor = try Int.fetchCursor(db, sql: "VALUES (1), (2)")
          _ = try cursor.next()
          try db.inSavepoint {
            db.cancellation.set(.cancelled)
            sqlite3_interrupt(db.sqliteConnection)
            return .rollback
          }
          return .commit
        }
      }
      db.cancellation.set(.none)
    }
  }

  @Test func `a cancellation that comes during a rollback is kept`() throws {
    let queue = try DatabaseQueue()
    try queue.writeWithoutTransaction { db in
      let cancellation = db.cancellation
      try db.execute(sql: "CREATE TABLE t (a)")
      try db.inTransaction {
        var mayCancel = true
        db.trace(options: .profile) { event in
          guard mayCancel, "\(event)".contains("ROLLBACK TO") else { return }
          mayCancel = false
          cancellation.set(.cancelled)
        }
        try db.inSavepoint { .rollback }
        db.trace()
        return .rollback
      }
      #expect(cancellation.request == .cancelled)
      cancellation.set(.none)
    }
  }

  @Test func `a cancellation at the end of the VACUUM does not stop the rest of erase`() throws {
    let directory = TemporaryDirectory()
    let pool = try DatabasePool(path: directory.file())
    try pool.writeWithoutTransaction { db throws in
      try db.execute(sql: "CREATE TABLE t (a)")
      let version = try db.versions.schemaNumber()
      let cancellation = db.cancellation
      db.trace(options: .profile) { event in
        if "\(event)".contains("VACUUM") { cancellation.set(.cancelled) }
      }
      try db.erase()
      #expect(cancellation.request == .cancelled)
      cancellation.set(.none)
      db.trace()
      #expect(try db.versions.schemaNumber() == version + 1)
      #expect(try String.fetchOne(db, sql: "PRAGMA journal_mode") == "wal")
    }
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
