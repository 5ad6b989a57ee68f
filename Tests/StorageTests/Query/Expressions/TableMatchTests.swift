import Storage
import Testing

@testable import StorageTestSupport

private struct Document: Codable, Equatable, FetchableRecord, PersistableRecord {
  var title: String
  var content: String

  enum Columns {
    static let title = Column("title")
    static let content = Column("content")
  }
}

@Suite struct TableMatchTests {
  private func withDocuments(_ module: String, _ body: (Database) throws -> Void) throws {
    try withLeague { db in
      try db.execute(sql: "CREATE VIRTUAL TABLE document USING \(module)(title, content)")
      try Document(title: "one", content: "a small sqlite database").insert(db)
      try Document(title: "two", content: "sqlite without the other word").insert(db)
      try body(db)
    }
  }

  private func check(_ request: some FetchRequest, _ sql: String, _ db: Database) throws {
    expectSQL(try request.makePreparedRequest(db).statement, sql)
  }

  @Test(arguments: ["fts3", "fts4", "fts5"])
  func `REQ-19, EXP-33, EXP-34: rows that match a pattern are fetched`(_ module: String) throws {
    try withDocuments(module) { db in
      let request = Document.matching("sqlite database")
      try check(
        request,
        #"SELECT * FROM "document" WHERE "document" MATCH 'sqlite database'"#,
        db
      )
      #expect(try request.fetchAll(db).map(\.title) == ["one"])
      #expect(try Table("document").matching("sqlite").fetchCount(db) == 2)
      let column = Document.filter { $0.title.match("two") }
      try check(column, #"SELECT * FROM "document" WHERE "title" MATCH 'two'"#, db)
      #expect(try column.fetchAll(db).map(\.title) == ["two"])
    }
  }

  @Test func `REQ-20: a nil pattern matches no row`() throws {
    try withDocuments("fts5") { db in
      #expect(try Document.matching(nil).fetchAll(db) == [])
      #expect(try Document.all().matching(nil).fetchCount(db) == 0)
      try check(Document.matching(nil), #"SELECT * FROM "document" WHERE 0"#, db)
    }
  }

  @Test func `REQ-25: patterns and filters are joined with AND`() throws {
    try withDocuments("fts5") { db in
      let request = Document.matching("sqlite").filter { $0.title != "one" }.order(Column.rank)
      try check(
        request,
        #"""
        SELECT * FROM "document" WHERE ("document" MATCH 'sqlite') AND ("title" <> 'one') \#
        ORDER BY "rank"
        """#,
        db
      )
      #expect(try request.fetchAll(db).map(\.title) == ["two"])
    }
  }

  @Test func `a pattern belongs to its own table, in joins and under an alias`() throws {
    try withDocuments("fts5") { db in
      try Player(id: 1, teamID: nil, name: "Arthur", email: nil, score: nil).insert(db)
      let joined = Document.matching("sqlite").join(Player.self) { _, player in player.id == 1 }
      #expect(try joined.fetchCount(db) == 2)
      try check(
        joined.select(Column("title")),
        #"""
        SELECT "document"."title" FROM "document" JOIN "player" ON "player"."id" = 1 \#
        WHERE "document"."document" MATCH 'sqlite'
        """#,
        db
      )
      let alias = TableAlias<Document>(name: "d")
      let aliased = Document.all().aliased(alias).matching("two")
      try check(
        aliased,
        #"SELECT * FROM "document" "d" WHERE "d"."document" MATCH 'two'"#,
        db
      )
      #expect(try aliased.fetchCount(db) == 1)
    }
  }

  @Test func `an invalid pattern is an error`() throws {
    try withDocuments("fts5") { db in
      expectError(
        #"SQLite error 1: unterminated string - while executing "SELECT * FROM "document" WHERE "document" MATCH ?""#
      ) { _ = try Document.matching("\"").fetchAll(db) }
    }
  }
}
