import Testing
import TestSupport

@testable import Recording
@testable import Storage
@testable import StorageTestSupport

/// Commits of other connections to a recorded file.
@Suite struct ForeignCommitCheckTests {
  private struct Refused: Error {}

  private let directory = TemporaryDirectory()
  private let pool: DatabasePool
  private let transactions: RecordedTransactions

  init() throws {
    pool = try DatabasePool(path: directory.file())
    try pool.write { try $0.execute(sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, v)") }
    transactions = try pool.recordTransactions()
  }

  private func hasForeign() throws -> Bool {
    try pool.writeWithoutTransaction { try $0.hasUnrecordedCommits() }
  }

  private func insert() throws {
    try pool.write { try $0.execute(sql: "INSERT INTO t (v) VALUES (1)") }
  }

  private static let reason = "another connection has written to the file"

  @Test func `a commit of another process is noticed, once`() throws {
    try insert()
    #expect(try !hasForeign())
    try SQLiteShell.run(directory.file(), "INSERT INTO t (v) VALUES ('foreign')")
    #expect(try hasForeign())
    #expect(try hasForeign())
    try insert()
    #expect(transactions.all.last?.snapshotReason == Self.reason)
    #expect(transactions.foreignCommits == 1)
    #expect(try !hasForeign())
    try insert()
    #expect(transactions.all.last?.snapshotReason == nil)
  }

  @Test func `a commit of another pool of this process is noticed`() throws {
    let other = try DatabasePool(path: directory.file())
    try other.write { try $0.execute(sql: "INSERT INTO t (v) VALUES ('foreign')") }
    #expect(try hasForeign())
    try insert()
    #expect(transactions.all.last?.snapshotReason == Self.reason)
  }

  @Test func `the delegate refuses commits until it accepts the other ones`() throws {
    try SQLiteShell.run(directory.file(), "INSERT INTO t (v) VALUES ('foreign')")
    transactions.foreignCommitWasFound = { throw Refused() }
    for count in 1...2 {
      #expect(throws: Refused.self) { try insert() }
      #expect(transactions.foreignCommits == count)
      #expect(try hasForeign())
    }
    #expect(transactions.all == [])
    #expect(try pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == 1)
    transactions.foreignCommitWasFound = nil
    try insert()
    #expect(transactions.all.count == 1)
  }

  @Test func `own commits of any kind, reads and checkpoints are not foreign`() throws {
    let other = try DatabasePool(path: directory.file())
    for mode in ["PASSIVE", "FULL", "RESTART", "TRUNCATE"] {
      try insert()
      try pool.write { _ in }
      try pool.writeWithoutTransaction { try $0.execute(sql: "INSERT INTO t (v) VALUES (2)") }
      #expect(throws: DatabaseError.self) {
        try pool.write { try $0.execute(sql: "INSERT INTO t VALUES (1, 1), (1, 2)") }
      }
      // SQLite counts emptying the WAL like a commit.
      try SQLiteShell.run(
        directory.file(),
        "SELECT count(*) FROM t; PRAGMA wal_checkpoint(\(mode))"
      )
      #expect(try !hasForeign(), "\(mode)")
      _ = try other.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") }
      try other.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(\(mode))") }
      #expect(try !hasForeign(), "\(mode)")
      try insert()
    }
    #expect(transactions.foreignCommits == 0)
    #expect(transactions.all.allSatisfy { $0.snapshotReason == nil })
    try pool.writeWithoutTransaction { try $0.execute(sql: "VACUUM") }
    #expect(try !hasForeign())
    try SQLiteShell.run(
      directory.file(),
      "INSERT INTO t (v) VALUES ('foreign'); PRAGMA wal_checkpoint(TRUNCATE)"
    )
    #expect(try hasForeign())
  }

  // The end of the WAL tells it without a statement, as long as nothing else was committed.
  @Test(arguments: 1...4)
  func `in any order of own and other commits and checkpoints, all others are noticed`(
    seed: UInt64
  ) throws {
    var generator = SeededGenerator(seed: seed)
    let other = try DatabaseQueue(path: directory.file())
    var isExpected = false
    var expectedCount = 0
    for step in 1...300 {
      switch Int.random(in: 0..<8, using: &generator) {
      case 0, 1, 7:
        if step % 3 == 0 { try pool.write { _ in } } else { try insert() }
        if isExpected { expectedCount += 1 }
        if step % 3 != 0 || isExpected {
          #expect((transactions.all.last?.snapshotReason != nil) == isExpected, "step \(step)")
        }
        isExpected = false
      case 2:
        try other.write { try $0.execute(sql: "INSERT INTO t (v) VALUES ('foreign')") }
        isExpected = true
      case 3: try other.write { try $0.execute(sql: "UPDATE t SET v = 1 WHERE false") }
      case 4:
        let mode = ["PASSIVE", "FULL", "RESTART", "TRUNCATE"].randomElement(using: &generator)!
        try other.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(\(mode))") }
      case 5: _ = try other.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") }
      default:
        #expect(throws: Refused.self) {
          try pool.write { db in
            try db.execute(sql: "INSERT INTO t (v) VALUES (2)")
            throw Refused()
          }
        }
      }
      #expect(try hasForeign() == isExpected, "step \(step)")
    }
    #expect(transactions.foreignCommits == expectedCount)
  }

  @Test func `a commit of another process is noticed without a WAL`() throws {
    let path = directory.file("rollback.sqlite")
    let queue = try DatabaseQueue(path: path)
    try queue.write { try $0.execute(sql: "CREATE TABLE t (v)") }
    let transactions = try queue.recordTransactions()
    try queue.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
    #expect(try !queue.writeWithoutTransaction { try $0.hasUnrecordedCommits() })
    try SQLiteShell.run(path, "INSERT INTO t VALUES ('foreign')")
    try queue.write { try $0.execute(sql: "INSERT INTO t VALUES (2)") }
    #expect(transactions.all.map(\.snapshotReason) == [nil, Self.reason])
  }
}
