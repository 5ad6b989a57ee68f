import Storage
import Testing

@Suite struct FullTextSynchronizationTests {
  /// How a full-text table is created that follows the table `post`.
  struct Following: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let create: @Sendable (Database) throws -> Void
    let createIfNeeded: @Sendable (Database) throws -> Void
    let drop: @Sendable (Database) throws -> Void
  }

  private static let followings = [
    Following(testDescription: "FTS4") { db in
      try db.create(virtualTable: "post ft", using: FTS4()) { t in
        t.synchronize(withTable: "post")
        t.column("title")
        t.column("it's \"it\"")
      }
    } createIfNeeded: { db in
      try db.create(virtualTable: "post ft", options: .ifNotExists, using: FTS4()) { t in
        t.synchronize(withTable: "post")
        t.column("title")
      }
    } drop: {
      try $0.dropFTS4SynchronizationTriggers(forTable: "post ft")
    },
    Following(testDescription: "FTS5") { db in
      try db.create(virtualTable: "post ft", using: FTS5()) { t in
        t.synchronize(withTable: "post")
        t.column("title")
        t.column("it's \"it\"")
      }
    } createIfNeeded: { db in
      try db.create(virtualTable: "post ft", options: .ifNotExists, using: FTS5()) { t in
        t.synchronize(withTable: "post")
        t.column("title")
      }
    } drop: {
      try $0.dropFTS5SynchronizationTriggers(forTable: "post ft")
    },
  ]

  private static let keys = ["id INTEGER PRIMARY KEY, ", "key TEXT PRIMARY KEY, ", ""]

  /// The titles of the rows that match.
  private func found(_ text: String, _ db: Database) throws -> [String] {
    try String.fetchAll(
      db,
      sql: "SELECT title FROM \"post ft\" WHERE \"post ft\" MATCH ? ORDER BY title",
      arguments: [FTS3Pattern(matchingAllTokensIn: text)]
    )
  }

  @Test("A-108: the index follows all changes of its table", arguments: followings, keys)
  func follows(_ following: Following, _ key: String) throws {
    try withDatabase { db throws in
      try db.execute(sql: "CREATE TABLE post (\(key)title TEXT, \"it's \"\"it\"\"\" TEXT, other)")
      try db.execute(sql: "INSERT INTO post (title, other) VALUES ('old news', 1)")
      try following.create(db)
      // A table that is there already is left as it is.
      try following.createIfNeeded(db)
      // What was there before is found.
      #expect(try found("news", db) == ["old news"])
      try db.execute(sql: "INSERT INTO post (title) VALUES ('new news'), ('nothing')")
      #expect(try found("news", db) == ["new news", "old news"])
      try db.execute(sql: "UPDATE post SET title = 'something' WHERE title = 'nothing'")
      #expect(try found("nothing", db) == [])
      #expect(try found("something", db) == ["something"])
      try db.execute(
        sql:
          "UPDATE post SET rowid = rowid + 10, \"it's \"\"it\"\"\" = 'x' WHERE title = 'old news'"
      )
      #expect(try found("x", db) == ["old news"])
      try db.execute(sql: "DELETE FROM post WHERE title LIKE '% news'")
      #expect(try found("news", db) == [])
      try db.checkIntegrity(ofFullTextTable: "post ft")
      try following.drop(db)
      try db.execute(sql: "INSERT INTO post (title) VALUES ('unseen')")
      #expect(try found("unseen", db) == [])
      #expect(
        try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master WHERE type = 'trigger'") == 0
      )
    }
  }

  @Test func `without columns of its own, a table gets those of the one that it follows`() throws {
    try withDatabase { db throws in
      try db.execute(sql: "CREATE TABLE post (id INTEGER PRIMARY KEY, title TEXT)")
      try db.create(virtualTable: "four", using: FTS4()) { $0.synchronize(withTable: "post") }
      try db.create(virtualTable: "five", using: FTS5()) { $0.synchronize(withTable: "post") }
      #expect(try db.columns(in: "four").map(\.name) == ["id", "title"])
      #expect(try db.columns(in: "five").map(\.name) == ["id", "title"])
    }
  }

  @Test func `a table without row ids cannot be followed, and nothing is created`() throws {
    try withDatabase { db throws in
      try db.execute(sql: "CREATE TABLE post (title TEXT PRIMARY KEY) WITHOUT ROWID")
      expectDatabaseError(
        .SQLITE_MISUSE,
        """
        a full-text table cannot be synchronized with post, which is WITHOUT ROWID: its rows are \
        known by their row ids
        """
      ) {
        try db.create(virtualTable: "ft", using: FTS5()) { t in
          t.synchronize(withTable: "post")
          t.column("title")
        }
      }
      #expect(
        try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master WHERE name LIKE 'ft%'") == 0
      )
    }
  }

  @Test func `a column that the followed table does not have is an error, and nothing is created`()
    throws
  {
    try withDatabase { db throws in
      try db.execute(sql: "CREATE TABLE post (title TEXT)")
      for isFTS5 in [false, true] {
        #expect(throws: DatabaseError.self) {
          if isFTS5 {
            try db.create(virtualTable: "ft", using: FTS5()) { t in
              t.synchronize(withTable: "post")
              t.column("oops")
            }
          } else {
            try db.create(virtualTable: "ft", using: FTS4()) { t in
              t.synchronize(withTable: "post")
              t.column("oops")
            }
          }
        }
        #expect(
          try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master WHERE name LIKE '%ft%'")
            == 0
        )
      }
    }
  }

  @Test func `an observation of an index sees the changes of its table`() async throws {
    let queue = try DatabaseQueue()
    try await queue.write { db in
      try db.execute(sql: "CREATE TABLE post (id INTEGER PRIMARY KEY, title TEXT)")
      try db.create(virtualTable: "ft", using: FTS5()) { t in
        t.synchronize(withTable: "post")
        t.column("title")
      }
    }
    let observation = ValueObservation.tracking { db in
      try String.fetchAll(db, sql: "SELECT title FROM ft WHERE ft MATCH 'news'")
    }
    var values = observation.values(in: queue).makeAsyncIterator()
    #expect(try await values.next() == [])
    try await queue.write { try $0.execute(sql: "INSERT INTO post VALUES (1, 'news')") }
    #expect(try await values.next() == ["news"])
    try await queue.write { try $0.execute(sql: "UPDATE post SET title = 'more news'") }
    #expect(try await values.next() == ["more news"])
  }
}
