import Storage
import Testing

@Suite struct DatabaseQueueTests {
  @Test func `a database in memory lives as long as its queue, and is alone`() async throws {
    let queue = try DatabaseQueue()
    let other = try DatabaseQueue()
    #expect(queue.path == ":memory:")
    try await queue.write { db in try db.execute(sql: Item.schema) }
    try await queue.write { db in try Item.cup.insert(db) }
    let items = try await queue.read { db in try Item.fetchAll(db, sql: "SELECT * FROM item") }
    #expect(items == [.cup])
    expectDatabaseError(.SQLITE_ERROR, "no such table: item") {
      _ = try other.read { db in try Item.fetchAll(db, sql: "SELECT * FROM item") }
    }
  }

  @Test func `the journal of a file stays as it is, unless it shall be a WAL`() throws {
    let directory = TemporaryDirectory()
    let mode = "PRAGMA journal_mode"
    let queue = try DatabaseQueue(path: directory.file())
    try queue.write { db in try db.execute(sql: Item.schema) }
    #expect(try queue.read { db in try String.fetchOne(db, sql: mode) } == "delete")
    try queue.close()
    var configuration = Configuration()
    configuration.journalMode = .wal
    let wal = try DatabaseQueue(path: directory.file(), configuration: configuration)
    #expect(try wal.read { db in try String.fetchOne(db, sql: mode) } == "wal")
    try wal.close()
    let again = try DatabaseQueue(path: directory.file())
    #expect(try again.read { db in try String.fetchOne(db, sql: mode) } == "wal")
  }

  @Test func `a read in a transaction sees what the access before it wrote`() throws {
    let queue = try DatabaseQueue()
    for number in 1...50 {
      try queue.write { db in try db.execute(sql: "PRAGMA user_version = \(number)") }
      let version = try queue.read { db in
        #expect(db.isInsideTransaction)
        return try Int.fetchOne(db, sql: "PRAGMA user_version")
      }
      #expect(version == number)
    }
  }

  @Test func `accesses of many tasks run one at a time`() async throws {
    let queue = try DatabaseQueue()
    try await queue.write { db in
      try db.execute(sql: "CREATE TABLE t (n); INSERT INTO t VALUES (0)")
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<100 {
        group.addTask {
          if index.isMultiple(of: 2) {
            _ = try await queue.read { db in try Int.fetchOne(db, sql: "SELECT n FROM t") }
          } else {
            try await queue.write { db in try db.execute(sql: "UPDATE t SET n = n + 1") }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await queue.read { db in try Int.fetchOne(db, sql: "SELECT n FROM t") } == 50)
  }

  @Test func `a read leaves nothing open`() throws {
    let queue = try DatabaseQueue()
    try queue.read { db in
      try db.execute(sql: "COMMIT")
      #expect(!db.isInsideTransaction)
    }
    try queue.read { db in #expect(db.isInsideTransaction) }
    try queue.writeWithoutTransaction { db in #expect(!db.isInsideTransaction) }
  }
}
