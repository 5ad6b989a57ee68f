import Storage
import Testing

@testable import StorageTestSupport

/// Changesets beside full-text tables that triggers synchronize.
@Suite struct SynchronizedChangesetTests {
  @Test(arguments: ["fts5", "fts4"])
  func `a changeset is undone and repeated, with the index of the words`(module: String) throws {
    try withDatabase { db in
      try db.execute(sql: "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT)")
      try db.execute(sql: "INSERT INTO book VALUES (1, 'moby dick'), (2, 'emma')")
      if module == "fts5" {
        try db.create(virtualTable: "ft", using: FTS5()) { t in
          t.synchronize(withTable: "book")
          t.column("title")
        }
      } else {
        try db.create(virtualTable: "ft", using: FTS4()) { t in
          t.synchronize(withTable: "book")
          t.column("title")
        }
      }
      func words() throws -> [String] {
        try ["moby", "emma", "ahab", "dracula"].filter { word in
          let sql = "SELECT count(*) > 0 FROM ft WHERE ft MATCH ?"
          return try Bool.fetchOne(db, sql: sql, arguments: [word]) == true
        }
      }
      let changeset = try db.recordChangeset {
        try db.execute(
          sql: """
            INSERT INTO book VALUES (3, 'dracula');
            UPDATE book SET title = 'ahab' WHERE id = 1;
            DELETE FROM book WHERE id = 2
            """
        )
      }
      #expect(try Set(changeset.operations().map(\.tableName)) == ["book"])
      #expect(try words() == ["ahab", "dracula"])
      for _ in 0..<2 {
        try db.apply(changeset: changeset.inverted())
        #expect(try words() == ["moby", "emma"])
        try db.checkIntegrity(ofFullTextTable: "ft")
        try db.apply(changeset: changeset)
        #expect(try words() == ["ahab", "dracula"])
        try db.checkIntegrity(ofFullTextTable: "ft")
      }
    }
  }

  @Test func `the index of a full-text table that nothing synchronizes is recorded`() throws {
    try withDatabase { db in
      try db.execute(
        sql: """
          CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT);
          CREATE VIRTUAL TABLE own USING fts5(a);
          CREATE VIRTUAL TABLE other USING fts5(title, content = book, content_rowid = id)
          """
      )
      let changeset = try db.recordChangeset {
        try db.execute(sql: "INSERT INTO own VALUES ('x'); INSERT INTO other VALUES ('y')")
      }
      let tables = try Set(changeset.operations().map(\.tableName))
      #expect(tables.contains("own_data") && tables.contains("other_data"))
    }
  }
}
