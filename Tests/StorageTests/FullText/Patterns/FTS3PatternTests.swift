import Storage
import Testing

@testable import StorageTestSupport

@Suite struct FTS3PatternTests {
  private static let patterns: [(FTS3Pattern?, String?)] = [
    (FTS3Pattern(matchingAnyTokenIn: "SQLite  database"), "sqlite OR database"),
    (FTS3Pattern(matchingAllTokensIn: "SQLite database"), "sqlite database"),
    (FTS3Pattern(matchingAllPrefixesIn: "SQLite data"), "sqlite* data*"),
    (FTS3Pattern(matchingPhrase: "SQLite, the SQLite"), #""sqlite the sqlite""#),
    (
      FTS3Pattern(matchingAllTokensIn: "a NOT b AND (c* \"d) NEAR/2 é-é a"),
      #"a not b and c d near 2 "é""#
    ),
    (FTS3Pattern(matchingAllPrefixesIn: "Été — \u{301} x"), #""Été*" x*"#),
    (FTS3Pattern(matchingAnyTokenIn: ""), nil),
    (FTS3Pattern(matchingAllTokensIn: " \n-*\"'():^\0"), nil),
    (FTS3Pattern(matchingAllPrefixesIn: "?"), nil),
    (FTS3Pattern(matchingPhrase: "..."), nil),
  ]

  @Test func `FTS-10, A-107: patterns of FTS3 and FTS4 are built from the words of a text`() throws
  {
    for (pattern, raw) in Self.patterns { #expect(pattern?.rawPattern == raw) }
  }

  @Test func `a malformed raw pattern of FTS3 is an error`() throws {
    #expect(try FTS3Pattern(rawPattern: "wonder* NOT lamp").rawPattern == "wonder* NOT lamp")
    expectDatabaseError(.SQLITE_ERROR, #"malformed MATCH expression: ["lamp]"#) {
      _ = try FTS3Pattern(rawPattern: "\"lamp")
    }
  }

  @Test func `a pattern of FTS3 can be bound and read`() throws {
    try withDatabase { db throws in
      let pattern = try #require(FTS3Pattern(matchingAllTokensIn: "one two"))
      #expect(try FTS3Pattern.fetchOne(db, sql: "SELECT ?", arguments: [pattern]) == pattern)
      #expect(FTS3Pattern.fromDatabaseValue("\"".databaseValue) == nil)
    }
  }

  @Test(arguments: ["fts3", "fts4", "fts5"])
  func `FTS-07, FTS-08, FTS-09, FTS-12, FTS-16: rows are found by table and column`(
    _ module: String
  ) throws {
    try withDatabase { db throws in
      try db.create(virtualTable: "mail", using: "\(module)(subject, body)")
      for mail in Mail.samples { try mail.insert(db) }
      let pattern = FTS3Pattern(matchingAllPrefixesIn: "Wonder")
      let all = Mail.matching(pattern)
      #expect(try all.fetchAll(db) == Mail.samples)
      expectSQL(
        try all.makePreparedRequest(db).statement,
        #"SELECT * FROM "mail" WHERE "mail" MATCH 'wonder*'"#
      )
      let subjects = Mail.filter(Column("subject").match(pattern))
      #expect(try subjects.fetchAll(db) == [Mail.samples[0]])
      #expect(try Mail.matching(FTS3Pattern(matchingPhrase: "genie is")).fetchCount(db) == 1)
    }
  }

  @Test func `FTS-11: no pattern matches nothing`() throws {
    try withDatabase { db throws in
      try db.create(virtualTable: "mail", using: "fts5(subject, body)")
      for mail in Mail.samples { try mail.insert(db) }
      #expect(try Mail.matching(nil as FTS3Pattern?).fetchCount(db) == 0)
      #expect(try Mail.matching(FTS5Pattern(matchingAllTokensIn: "?")).fetchAll(db) == [])
    }
  }
}
