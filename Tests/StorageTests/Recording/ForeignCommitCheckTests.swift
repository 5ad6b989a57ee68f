import Testing
import TestSupport

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
