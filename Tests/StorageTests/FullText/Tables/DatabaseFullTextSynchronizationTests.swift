import Storage
import Testing

@testable import StorageTestSupport

@Suite struct DatabaseFullTextSynchronizationTests {
  /// Creates a full-text table that is synchronized with the table `post`.
  struct Synchronization: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let create: @Sendable (Database) throws -> Void
    let createIfNeeded: @Sendable (Database) throws -> Void
    let drop: @Sendable (Database) throws -> Void
  }

  private static let synchronizations = [
    Synchronization(testDescription: "FTS4") { db in
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
    Synchronization(testDescription: "FTS5") { db in
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

  /// Returns the titles of the matching rows.
  private func found(_ text: String, _ db: Database) throws -> [String] {
    try String.fetchAll(
      db,
      sql: "SELECT title FROM \"post ft\" WHERE \"post ft\" MATCH ? ORDER BY title",
      arguments: [FTS3Pattern(matchingAllTokensIn: text)]
    )
  }

  @Test(arguments: synchronizations, keys)
  func `A-108: the index reflects all changes of its table`(
    _ synchronization: Synchronization,
    _ key: String
  ) throws {
    try withDatabase { db throws in
      try db.execute(sql: "CREATE TABLE post (\(key)title TEXT, \"it's \"\"it\"\"\" TEXT, other)")
      try db.execute(sql: "INSERT INTO post (title, other) VALUES ('old news', 1)")
      try synchronization.create(db)
      // Nothing changes when the table already exists.
      try synchronization.createIfNeeded(db)
      // Rows inserted before the full-text table are found.
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
      try synchronization.drop(db)
      try db.execute(sql: "INSERT INTO post (title) VALUES ('unseen')")
      #expect(try found("unseen", db) == [])
      #expect(
        try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master WHERE type = 'trigger'") == 0
      )
    }
  }

  @Test func `a definition without columns gets those of the synchronized table`() throws {
    try withDatabase { db throws in
      try db.execute(sql: "CREATE TABLE post (id INTEGER PRIMARY KEY, title TEXT)")
      try db.create(virtualTable: "four", using: FTS4()) { $0.synchronize(withTable: "post") }
      try db.create(virtualTable: "five", using: FTS5()) { $0.synchronize(withTable: "post") }
      #expect(try db.columns(in: "four").map(\.name) == ["id", "title"])
      #expect(try db.columns(in: "five").map(\.name) == ["id", "title"])
    }
  }

  @Test func `a table without row ids cannot be synchronized, and nothing is created`() throws {
    try withDatabase { db throws in
      try db.execute(sql: "CREATE TABLE post (title TEXT PRIMARY KEY) WITHOUT ROWID")
      expectDatabaseError(
        .SQLITE_MISUSE,
        """
        a full-text table cannot be synchronized with post, which is WITHOUT ROWID: full-text \
        tables refer to rows by row id
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

  @Test func `a column that the synchronized table lacks is an error, and nothing is created`()
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

  @Test func `an observation of a full-text table sees changes of the synchronized table`()
    async throws
  {
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
