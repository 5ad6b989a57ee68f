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
}
