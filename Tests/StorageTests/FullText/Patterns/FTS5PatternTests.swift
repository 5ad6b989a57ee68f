import Storage
import Testing

@testable import StorageTestSupport

@Suite struct FTS5PatternTests {
  private static let patterns: [(FTS5Pattern?, String?)] = [
    (FTS5Pattern(matchingAnyTokenIn: "SQLite  database"), "sqlite OR database"),
    (FTS5Pattern(matchingAllTokensIn: "SQLite database"), "sqlite database"),
    (FTS5Pattern(matchingAllPrefixesIn: "SQLite data"), "sqlite* data*"),
    (FTS5Pattern(matchingPhrase: "SQLite database"), #""sqlite database""#),
    (FTS5Pattern(matchingPrefixPhrase: "SQLite database"), #"^"sqlite database""#),
    (FTS5Pattern(matchingAllTokensIn: "a NOT b: {c} + ^d_e"), "a not b c d e"),
    (FTS5Pattern(matchingAnyTokenIn: ""), nil),
    (FTS5Pattern(matchingPrefixPhrase: "^"), nil),
  ]

  @Test func `FTS-15, A-107: patterns of FTS5 are built from the words of a text`() throws {
    for (pattern, raw) in Self.patterns { #expect(pattern?.rawPattern == raw) }
  }

  @Test func `a malformed raw pattern of FTS5 is an error`() throws {
    try withDatabase { db throws in
      try db.create(virtualTable: "mail", using: FTS5()) { $0.column("subject") }
      let pattern = try db.makeFTS5Pattern(rawPattern: "subject:\"Re:\"*", forTable: "mail")
      #expect(pattern.rawPattern == "subject:\"Re:\"*")
      expectDatabaseError(.SQLITE_ERROR, "no such column: body") {
        _ = try db.makeFTS5Pattern(rawPattern: "body: x", forTable: "mail")
      }
      expectDatabaseError(.SQLITE_ERROR, #"fts5: syntax error near """#) {
        _ = try db.makeFTS5Pattern(rawPattern: "a AND", forTable: "mail")
      }
    }
  }

  @Test func `a raw pattern of FTS5 is checked against the allowed columns`() throws {
    for raw in ["wonder* NOT lamp", "\"one two\"", "NEAR(one two)"] {
      try #expect(FTS5Pattern(rawPattern: raw).rawPattern == raw)
    }
    let columns = ["title", "the body"]
    let raw = #"title: wonder* OR "the body": x"#
    try #expect(FTS5Pattern(rawPattern: raw, allowedColumns: columns).rawPattern == raw)
    expectDatabaseError(.SQLITE_ERROR, "no such column: author") {
      _ = try FTS5Pattern(rawPattern: "author: x", allowedColumns: columns)
    }
    expectDatabaseError(.SQLITE_ERROR, "no such column: title") {
      _ = try FTS5Pattern(rawPattern: "title: x")
    }
    expectDatabaseError(.SQLITE_ERROR, #"fts5: syntax error near """#) {
      _ = try FTS5Pattern(rawPattern: "a AND")
    }
  }

  @Test func `a pattern of FTS5 can be bound, but not read`() throws {
    try withDatabase { db throws in
      let pattern = try #require(FTS5Pattern(matchingAllTokensIn: "one two"))
      #expect(try String.fetchOne(db, sql: "SELECT ?", arguments: [pattern]) == "one two")
      #expect(FTS5Pattern.fromDatabaseValue(pattern.databaseValue) == nil)
    }
  }

  @Test func `FTS-14, A-109: FTS5 patterns select columns, and bm25 ranks rows`() throws {
    try withDatabase { db throws in
      try db.create(virtualTable: "mail", using: "fts5(subject, body)")
      for mail in Mail.samples { try mail.insert(db) }
      let pattern = try db.makeFTS5Pattern(rawPattern: "subject: wonder*", forTable: "mail")
      #expect(try Mail.matching(pattern).fetchAll(db) == [Mail.samples[0]])
      let any = FTS5Pattern(matchingAnyTokenIn: "wonderful")
      #expect(try Mail.matching(any).order(Column.rank).fetchOne(db) == Mail.samples[1])
      let weighted = Mail.matching(any).order(FTS5.bm25(weights: [100, 1]))
      #expect(try weighted.fetchOne(db) == Mail.samples[0])
      expectSQL(
        try weighted.makePreparedRequest(db).statement,
        #"SELECT * FROM "mail" WHERE "mail" MATCH 'wonderful' ORDER BY BM25("mail", 100.0, 1.0)"#
      )
    }
  }
}
