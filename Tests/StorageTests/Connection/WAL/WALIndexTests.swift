import TestSupport
import Testing

@testable import Storage
@testable import StorageTestSupport

@Suite struct WALIndexTests {
  @Test func `the index counts the commits of all processes, but no rollback`() throws {
    let shop = try Shop()
    try shop.pool.writeWithoutTransaction { db in
      func index() throws -> WALIndex { try #require(WALIndex.read(db.sqliteConnection)) }
      let first = try index()
      try db.inTransaction {
        try db.execute(sql: "UPDATE item SET price = 5")
        return .rollback
      }
      #expect(try index() == first)
      try db.execute(sql: "UPDATE item SET price = 6")
      #expect(try index().commits == first.commits + 1)
      #expect(try !index().holdsSameCommits(as: first))
      try SQLiteShell.run(shop.path, "UPDATE item SET price = 7")
      _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM item")
      #expect(try index().commits == first.commits + 2)
    }
  }

  @Test func `a checkpoint that empties the WAL adds no commit`() throws {
    let shop = try Shop()
    try shop.pool.writeWithoutTransaction { db in
      let before = try #require(WALIndex.read(db.sqliteConnection))
      #expect(try db.checkpoint(.truncate).isComplete)
      let after = try #require(WALIndex.read(db.sqliteConnection))
      #expect(after != before)
      #expect(after.holdsSameCommits(as: before))
    }
  }

  @Test func `a header that another process is writing is read again`() throws {
    let shop = try Shop()
    // Changes the count of commits in the first of the two copies.
    func write(_ byte: String) throws {
      let target = "of='\(shop.path)-shm' bs=1 seek=8 conv=notrunc status=none"
      try ChildProcess(["sh", "-c", "printf '\\\(byte)' | dd \(target)"]).wait()
    }
    try shop.pool.writeWithoutTransaction { db in
      let index = try #require(WALIndex.read(db.sqliteConnection))
      try #require(index.commits < 8)
      try write("377")
      #expect(WALIndex.read(db.sqliteConnection) { $0 < 100 } == nil)
      var attempts: [Int] = []
      var error: (any Error)?
      let read = WALIndex.read(db.sqliteConnection) { attempt in
        attempts.append(attempt)
        if attempt == 2 {
          do { try write("\(index.commits)") } catch let caught { error = caught }
        }
        return attempt < 3
      }
      #expect(error == nil)
      #expect(read == index)
      #expect(attempts == [0, 1, 2])
    }
    #expect(WALIndex.waitForWriter(0))
    #expect(WALIndex.waitForWriter(1099))
    #expect(!WALIndex.waitForWriter(1100))
  }
}
