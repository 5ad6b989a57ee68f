import Storage
import Testing

@testable import StorageTestSupport

/// Full-text tables whose texts are in a table that is renamed or altered.
@Suite struct RenamedContentTests {
  @Test(arguments: ["fts5", "fts5 manually", "fts4"], ["novel", "no'vel", "Book 2"])
  func `a renamed table is found by its full-text table`(kind: String, name: String) throws {
    try withDatabase { db in
      try db.execute(
        sql: """
          CREATE TABLE Book (id INTEGER PRIMARY KEY, title TEXT);
          INSERT INTO Book VALUES (1, 'moby dick')
          """
      )
      if kind == "fts4" {
        try db.create(virtualTable: "ft", using: FTS4()) { t in
          t.synchronize(withTable: "Book")
          t.column("title")
        }
      } else {
        try db.create(virtualTable: "ft", using: FTS5()) { t in
          if kind == "fts5" {
            t.synchronize(withTable: "Book")
          } else {
            t.content = "Book"
            t.contentRowID = "id"
          }
          t.column("title")
        }
        try db.execute(sql: "INSERT INTO ft (ft, rank) VALUES ('automerge', 7)")
        if kind != "fts5" { try db.rebuild(fullTextTable: "ft") }
      }
      try db.rename(table: "book", to: name)
      func count(_ word: String) throws -> Int? {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM ft WHERE ft MATCH '\(word)'")
      }
      #expect(try String.fetchAll(db, sql: "SELECT title FROM ft") == ["moby dick"])
      #expect(try count("moby") == 1)
      if kind != "fts5 manually" {
        let table = name.quotedDatabaseIdentifier
        try db.execute(sql: "INSERT INTO \(table) VALUES (2, 'emma')")
        try db.execute(sql: "UPDATE \(table) SET title = 'ahab' WHERE id = 1")
        #expect(try count("emma") == 1 && count("ahab") == 1 && count("moby") == 0)
        try db.execute(sql: "DELETE FROM \(table)")
        #expect(try count("emma") == 0)
      }
      try db.checkIntegrity(ofFullTextTable: "ft")
      if kind != "fts4" {
        #expect(try Int.fetchOne(db, sql: "SELECT v FROM ft_config WHERE k = 'automerge'") == 7)
      }
      // Back again, and undone as a whole.
      try? db.inSavepoint {
        try db.rename(table: name, to: "third")
        return .rollback
      }
      try db.rename(table: name, to: "Book")
      #expect(try String.fetchAll(db, sql: "SELECT title FROM ft").count < 2)
    }
  }

  @Test func `a column that a full-text table reads is neither renamed nor dropped`() throws {
    try withDatabase { db in
      try db.execute(sql: "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, note TEXT)")
      try db.create(virtualTable: "ft", using: FTS5()) { t in
        t.content = "book"
        t.column("title")
      }
      let refusal = """
        the full-text table ft reads the column TITLE: drop that table and its triggers first, and \
        create it again afterwards
        """
      expectDatabaseError(.SQLITE_ERROR, refusal) {
        try db.alter(table: "book") { t in t.rename(column: "TITLE", to: "name") }
      }
      expectDatabaseError(.SQLITE_ERROR, refusal) {
        try db.alter(table: "Book") { t in t.drop(column: "TITLE") }
      }
      try db.alter(table: "book") { t in
        t.rename(column: "note", to: "remark")
        t.drop(column: "remark")
      }
    }
  }
}
