import CWellspringSQLite
import Testing
import TestSupport

@testable import Recording
@testable import Storage
@testable import StorageTestSupport

/// Writes past the recorder are noticed, and the recorder disturbs nothing.
@Suite struct TransactionRecorderTests {
  private static func queue() throws -> (DatabaseQueue, RecordedTransactions) {
    let queue = try DatabaseQueue()
    try queue.write { try $0.execute(sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, v)") }
    return (queue, try queue.recordTransactions())
  }

  private static func run(_ sql: String, raw db: Database) {
    #expect(sqlite3_exec(db.sqliteConnection, sql, nil, nil, nil) == SQLITE_OK)
  }

  private static let reason = "savepoints were used through sqliteConnection"

  @Test func `rows that a savepoint of the raw handle has undone are noticed`() throws {
    let (queue, transactions) = try Self.queue()
    try queue.write { db in
      Self.run("SAVEPOINT s", raw: db)
      try db.execute(sql: "INSERT INTO t VALUES (1, 1)")
      Self.run("ROLLBACK TO s; RELEASE s", raw: db)
      try db.execute(sql: "INSERT INTO t VALUES (2, 2)")
    }
    #expect(transactions.all.last?.snapshotReason == Self.reason)
    try queue.write { try $0.execute(sql: "INSERT INTO t VALUES (3, 3)") }
    #expect(transactions.all.last?.snapshotReason == nil)
  }

  @Test func `an observer gets no events of a failed statement that was a transaction of its own`()
    throws
  {
    final class Log: TransactionObserver {
      var lines: [String] = []
      func observes(eventsOfKind kind: DatabaseEventKind) -> Bool { true }
      func databaseDidChange(with event: DatabaseEvent) {
        lines.append("\(event.kind) \(event.rowID ?? 0)")
      }
      func databaseDidCommit(_ db: Database) {}
      func databaseDidRollback(_ db: Database) {}
    }
    let (queue, _) = try Self.queue()
    try queue.writeWithoutTransaction { db in
      let log = Log()
      db.add(transactionObserver: log)
      try db.execute(sql: "INSERT INTO t VALUES (1, 1)")
      #expect(throws: DatabaseError.self) { () throws in
        try db.execute(sql: "INSERT INTO t VALUES (2, 2), (1, 1)")
      }
      #expect(throws: DatabaseError.self) { () throws in
        try db.execute(sql: "INSERT OR FAIL INTO t VALUES (3, 3), (1, 1)")
      }
      #expect(log.lines == ["insert 1", "insert 3"])
    }
  }

  @Test func `rows that a savepoint of the same name has hidden from the recorder are noticed`()
    throws
  {
    let (queue, transactions) = try Self.queue()
    try queue.write { db in
      try db.execute(sql: "SAVEPOINT s; INSERT INTO t VALUES (1, 1)")
      Self.run("SAVEPOINT s", raw: db)
      // SQLite undoes nothing, and the recorder undoes the row.
      try db.execute(sql: "ROLLBACK TO s")
    }
    #expect(transactions.all.last?.snapshotReason == Self.reason)
    #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == 1)
  }

  /// When the raw handle compiles its statements.
  enum Preparation: CaseIterable {
    case beforeRecording
    case whileRecording
    case beforeBypass
    case insideBypass
  }

  @Test(arguments: Preparation.allCases)
  func `a savepoint statement that the raw handle keeps is noticed each time`(
    _ preparation: Preparation
  ) throws {
    let queue = try DatabaseQueue()
    try queue.write { try $0.execute(sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, v)") }
    var statements: [OpaquePointer?] = []
    func prepare(_ db: Database) {
      for sql in ["SAVEPOINT s", "ROLLBACK TO s", "RELEASE s"] {
        var statement: OpaquePointer?
        #expect(sqlite3_prepare_v2(db.sqliteConnection, sql, -1, &statement, nil) == SQLITE_OK)
        statements.append(statement)
      }
    }
    func step(_ index: Int) {
      #expect(sqlite3_step(statements[index]) == SQLITE_DONE)
      #expect(sqlite3_reset(statements[index]) == SQLITE_OK)
    }
    if preparation == .beforeRecording { try queue.writeWithoutTransaction { prepare($0) } }
    let transactions = try queue.recordTransactions()
    try queue.writeWithoutTransaction { db in
      switch preparation {
      case .beforeRecording: break
      case .whileRecording: prepare(db)
      case .beforeBypass:
        prepare(db)
        try db.bypassingRecorder { _ in }
      case .insideBypass: try db.bypassingRecorder { bypass in prepare(bypass.db) }
      }
    }
    for id in 1...3 {
      try queue.write { db in
        step(0)
        try db.execute(sql: "INSERT INTO t VALUES (?, 1)", arguments: [id])
        step(1)
        step(2)
        try db.execute(sql: "INSERT INTO t VALUES (?, 2)", arguments: [id])
      }
      #expect(transactions.all.last?.snapshotReason == Self.reason)
    }
    try queue.writeWithoutTransaction { _ in
      for statement in statements { #expect(sqlite3_finalize(statement) == SQLITE_OK) }
    }
    // Only now does the recorder see that no raw statement is left.
    try queue.write { try $0.execute(sql: "INSERT INTO t VALUES (8, 1)") }
    try queue.write { try $0.execute(sql: "INSERT INTO t VALUES (9, 1)") }
    #expect(transactions.all.last?.snapshotReason == nil)
  }

  // SQLite compiles a cached statement again, outside the compilation by this library.
  @Test func `savepoints of this library are not mistaken for those of the raw handle`() throws {
    let (queue, transactions) = try Self.queue()
    for id in 1...3 {
      try queue.writeWithoutTransaction { db in
        try db.cachedStatement(sql: "SAVEPOINT s").execute()
        try db.execute(sql: "INSERT INTO t VALUES (?, 1)", arguments: [id])
        try db.cachedStatement(sql: "ROLLBACK TO s").execute()
        try db.execute(sql: "INSERT INTO t VALUES (?, 2)", arguments: [id])
        try db.cachedStatement(sql: "RELEASE s").execute()
        db.authorizer.install(on: db.sqliteConnection)
      }
      try queue.write { db in
        try db.inSavepoint {
          try db.execute(sql: "UPDATE t SET v = v + 1")
          return .commit
        }
      }
    }
    #expect(transactions.all.map(\.snapshotReason) == Array(repeating: nil, count: 6))
  }

  @Test func `recording begins and ends outside transactions only`() throws {
    let (queue, transactions) = try Self.queue()
    try queue.write { db in
      var error = #expect(throws: DatabaseError.self) { try db.startRecording(transactions) }
      #expect(error?.message == "recording cannot begin inside a transaction")
      error = #expect(throws: DatabaseError.self) { try db.stopRecording() }
      #expect(error?.message == "recording cannot end inside a transaction")
      error = #expect(throws: DatabaseError.self) { try db.recordChangeset {} }
      let refusal = "recordChangeset cannot be used on a database that is replicated"
      #expect(error?.message?.hasPrefix(refusal) == true)
    }
    _ = try queue.writeWithoutTransaction { try $0.stopRecording() }
    try queue.write { try $0.execute(sql: "INSERT INTO t VALUES (1, 1)") }
    #expect(transactions.all == [])
    try queue.writeWithoutTransaction { db in
      let error = #expect(throws: DatabaseError.self) { try db.hasUnrecordedCommits() }
      #expect(error?.message == "the transactions of the connection are not recorded")
      try db.startRecording(transactions)
      #expect(try !db.hasUnrecordedCommits())
    }
    try queue.write { try $0.execute(sql: "INSERT INTO t VALUES (2, 2)") }
    #expect(transactions.all.count == 1)
  }

  @Test func `what bypasses the recorder is committed, and not recorded`() throws {
    struct Foreign: Error {}
    let directory = TemporaryDirectory()
    let queue = try DatabaseQueue(path: directory.file())
    let transactions = RecordedTransactions()
    try queue.writeWithoutTransaction { db in
      let error = #expect(throws: DatabaseError.self) { try db.bypassingRecorder { _ in } }
      #expect(error?.message == "the transactions of the connection are not recorded")
      try db.startRecording(transactions)
      try db.bypassingRecorder { bypass in
        try bypass.write(orThrow: Foreign()) { db in
          try db.execute(sql: "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, v)")
          try db.execute(sql: "INSERT INTO t (v) VALUES (1)")
          return .commit
        }
        try bypass.write(orThrow: Foreign()) { db in
          try db.execute(sql: "INSERT INTO t (v) VALUES (2)")
          return .rollback
        }
        try bypass.db.execute(sql: "INSERT INTO t (v) VALUES (3)")
      }
      #expect(transactions.all == [])
    }
    try queue.write { try $0.execute(sql: "INSERT INTO t (v) VALUES (4)") }
    #expect(transactions.all.count == 1)
    #expect(transactions.all.map(\.snapshotReason) == [nil])
    #expect(transactions.foreignCommits == 0)
    // A commit of another connection stops the next transaction, and is not lost.
    _ = try SQLiteShell.run(directory.file(), "INSERT INTO t (v) VALUES (5)")
    try queue.writeWithoutTransaction { db in
      try db.bypassingRecorder { bypass in
        _ = #expect(throws: Foreign.self) {
          try bypass.write(orThrow: Foreign()) { db in
            try db.execute(sql: "INSERT INTO t (v) VALUES (6)")
            return .commit
          }
        }
      }
      #expect(try db.hasUnrecordedCommits())
      try db.bypassingRecorder { bypass in try bypass.adoptForeignCommits() }
      #expect(try !db.hasUnrecordedCommits())
      #expect(try Int.fetchAll(db, sql: "SELECT v FROM t") == [1, 3, 4, 5])
      try db.inTransaction {
        let error = #expect(throws: DatabaseError.self) { try db.bypassingRecorder { _ in } }
        #expect(error?.message == "recording cannot be bypassed inside a transaction")
        return .rollback
      }
    }
  }

  @Test func `savepoints of this library in a bypass are not mistaken for those of the raw handle`()
    throws
  {
    let (queue, transactions) = try Self.queue()
    for id in 1...3 {
      try queue.writeWithoutTransaction { db in
        try db.bypassingRecorder { bypass in
          // SQLite compiles the cached statements again.
          db.authorizer.install(on: db.sqliteConnection)
          try bypass.write(orThrow: CancellationError()) { db in
            try db.inSavepoint { .commit }
            try db.execute(sql: "INSERT INTO t (v) VALUES (1)")
            return .commit
          }
        }
      }
      try queue.write { try $0.execute(sql: "INSERT INTO t (v) VALUES (?)", arguments: [id]) }
      #expect(transactions.all.last?.snapshotReason == nil)
    }
  }

  @Test func `statements stay compiled while the recorder is bypassed`() throws {
    let (queue, _) = try Self.queue()
    try queue.writeWithoutTransaction { db in
      let statement = try db.makeStatement(sql: "SELECT * FROM t")
      _ = try Row.fetchAll(statement)
      for _ in 0..<3 {
        try db.bypassingRecorder { bypass in
          try bypass.write(orThrow: CancellationError()) { db in
            try db.execute(sql: "INSERT INTO t (v) VALUES (1)")
            return .commit
          }
        }
        _ = try Row.fetchAll(statement)
      }
      let status = SQLITE_STMTSTATUS_REPREPARE
      #expect(sqlite3_stmt_status(statement.sqliteStatement, status, 0) == 0)
    }
  }

  @Test func `a backup into the database is no commit of another connection`() throws {
    let (queue, transactions) = try Self.queue()
    try DatabaseQueue().backup(to: queue)
    try queue.write { try $0.execute(sql: "CREATE TABLE u (x); INSERT INTO u VALUES (1)") }
    #expect(transactions.foreignCommits == 0)
    #expect(transactions.all.map(\.snapshotReason) == [nil])
  }
}
