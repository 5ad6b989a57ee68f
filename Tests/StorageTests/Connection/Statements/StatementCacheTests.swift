import Testing

@testable import Storage
@testable import StorageTestSupport

@Suite struct StatementCacheTests {
  @Test func `the same SQL gets the same statement while it is idle`() throws {
    try withDatabase { db in
      let first = try db.cachedStatement(sql: "SELECT 1")
      #expect(try db.cachedStatement(sql: "SELECT 1") === first)
      #expect(try db.cachedStatement(sql: "SELECT  1") !== first)
      #expect(try db.makeStatement(sql: "SELECT 1") !== first)
    }
  }

  @Test func `SQL whose literals differ in their Unicode forms gets different statements`() throws {
    try withDatabase { db in
      let count = db.statementCache.count
      for text in ["\u{E9}", "e\u{301}", "\u{E9}"] {
        let read = try String.fetchOne(db, sql: "SELECT '\(text)'")
        #expect(read?.databaseValue == text.databaseValue)
      }
      #expect(db.statementCache.count == count + 2)
    }
  }

  @Test func `the same SQL can have two runs at a time`() throws {
    try withDatabase { db in
      let sql = "SELECT column1 FROM (VALUES (1), (2), (3)) WHERE column1 >= ?"
      let outer = try Int.fetchCursor(db, sql: sql, arguments: [1])
      var pairs: [[Int]] = []
      while let left = try outer.next() {
        #expect(try Int.fetchAll(db, sql: sql, arguments: [3]) == [3])
        let inner = try Int.fetchCursor(db, sql: sql, arguments: [2])
        while let right = try inner.next() { pairs.append([left, right]) }
      }
      #expect(pairs == [[1, 2], [1, 3], [2, 2], [2, 3], [3, 2], [3, 3]])
    }
  }

  @Test func `a query can run again while its own cursor is open`() throws {
    try withDatabase { db in
      try Item.cup.insert(db)
      try Item.pot.insert(db)
      let sql = "SELECT id FROM item ORDER BY id"
      let cursor = try Int.fetchCursor(db, sql: sql)
      while let id = try cursor.next() {
        #expect(try Int.fetchAll(db, sql: sql) == [1, 2], "at \(id)")
      }
    }
  }

  @Test func `a cursor that is released half-way resets its statement`() throws {
    try withDatabase { db in
      let sql = "SELECT column1 FROM (VALUES (1), (2))"
      let statement = try db.cachedStatement(sql: sql)
      for _ in 0..<3 {
        let cursor = try Int.fetchCursor(db, sql: sql)
        #expect(try cursor.next() == 1)
        #expect(statement.isRunning)
      }
      #expect(!statement.isRunning)
      #expect(try db.cachedStatement(sql: sql) === statement)
    }
  }

  @Test func `a cache is bounded and drops the least recently used statements`() throws {
    try withDatabase { db in
      var cache = StatementCache(capacity: 4)
      for number in 1...100 {
        cache.insert(try db.makeStatement(sql: "SELECT \(number)"), for: "SELECT \(number)")
        if number > 1 { _ = cache.idleStatement(for: "SELECT 1") }
        #expect(cache.count <= 4)
        #expect(cache.idleStatement(for: "SELECT \(number)") != nil)
      }
      #expect(cache.idleStatement(for: "SELECT 1") != nil)
      #expect(cache.idleStatement(for: "SELECT 50") == nil)
      cache.removeAll()
      #expect(cache.count == 0)
    }
  }

  @Test(arguments: [0, 1, 2])
  func `a small cache does not change results`(capacity: Int) throws {
    var configuration = Configuration()
    configuration.statementCacheCapacity = capacity
    try withDatabase(configuration) { db in
      for round in 1...20 {
        let cursors = try (1...5).map { try Int.fetchCursor(db, sql: "SELECT \($0 * round)") }
        #expect(try cursors.map { try $0.next() } == (1...5).map { $0 * round })
        #expect(try cursors.map { try $0.next() } == Array(repeating: nil, count: 5))
      }
    }
  }

  @Test func `a cached statement follows schema changes`() throws {
    try withDatabase { db in
      try Item.cup.insert(db)
      let sql = "SELECT * FROM item"
      let row = Row(["id": 1, "name": "cup", "price": 4.0])
      #expect(try Row.fetchAll(db, sql: sql) == [row])
      try db.execute(sql: "ALTER TABLE item ADD COLUMN stock DEFAULT 7")
      #expect(try Row.fetchOne(db, sql: sql)?["stock"] == 7)
      try db.execute(sql: "ALTER TABLE item RENAME COLUMN name TO title")
      let statement = try db.cachedStatement(sql: sql)
      #expect(try Row.fetchOne(db, sql: sql)?["title"] == "cup")
      #expect(statement.columnNames == ["id", "title", "price", "stock"])
      try db.execute(sql: "DROP TABLE item; CREATE TABLE item (a, b)")
      #expect(try Row.fetchOne(db, sql: sql) == nil)
      #expect(statement.columnNames == ["a", "b"])
    }
  }

  @Test func `a cache of running statements stays bounded`() throws {
    try withDatabase { db in
      var cache = StatementCache(capacity: 4)
      var cursors: [RowCursor] = []
      for number in 0..<20 {
        let statement = try db.makeStatement(sql: "SELECT \(number)")
        let cursor = try Row.fetchCursor(statement)
        _ = try cursor.next()
        cursors.append(cursor)
        cache.insert(statement, for: statement.sql)
      }
      #expect(cache.count <= 4)
      withExtendedLifetime(cursors) {}
    }
  }
}
