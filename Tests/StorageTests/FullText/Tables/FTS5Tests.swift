import Storage
import Testing

@testable import StorageTestSupport

@Suite struct FTS5Tests {
  @Test func `FTS-13, FTS-17, A-106: definitions of FTS5 tables write the expected SQL`() throws {
    try expectTable(FTS5(), "fts5(subject, body UNINDEXED)") { t in
      t.column("subject")
      t.column("body").notIndexed()
    }
    try expectTable(FTS5(), #"fts5("a ""b""", "order")"#) { t in
      t.column("a \"b\"")
      t.column("order")
    }
    try expectTable(
      FTS5(),
      "fts5(body, content='post', content_rowid='id', prefix='2 4', columnsize=0, detail='column')"
    ) { t in
      t.column("body")
      t.content = "post"
      t.contentRowID = "id"
      t.prefixes = [2, 4]
      t.columnSize = 0
      t.detail = "column"
    }
  }

  @Test func `creating an existing table is an error unless ifNotExists is set`() throws {
    try withDatabase { db throws in
      try db.create(virtualTable: "mail", using: FTS5()) { $0.column("a") }
      expectDatabaseError(.SQLITE_ERROR, #"table "mail" already exists"#) {
        try db.create(virtualTable: "mail", using: FTS5()) { $0.column("b") }
      }
      try db.create(virtualTable: "MAIL", options: .ifNotExists, using: FTS5()) { $0.column("b") }
      try db.create(virtualTable: "mail", options: .ifNotExists, using: "fts5(c)")
      #expect(try db.columns(in: "mail").map(\.name) == ["a"])
    }
  }
}
