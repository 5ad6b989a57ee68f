import Storage
import Testing

@testable import StorageTestSupport

@Suite struct FTS5FunctionsTests {
  @Test func `FTS5 functions highlight the matches`() throws {
    try withDatabase { db throws in
      try db.create(virtualTable: "mail", using: "fts5(subject, body)")
      for mail in Mail.samples { try mail.insert(db) }
      let found = Mail.matching(FTS5Pattern(matchingAllTokensIn: "genie"))
      let marks = found.select(FTS5.highlight(column: 1, before: "<", after: ">"), as: String.self)
      #expect(try marks.fetchAll(db) == ["The <genie> is in."])
      expectSQL(
        try marks.makePreparedRequest(db).statement,
        #"SELECT HIGHLIGHT("mail", 1, '<', '>') FROM "mail" WHERE "mail" MATCH 'genie'"#
      )
      let parts = found.select(
        FTS5.snippet(before: "<", after: ">", tokenCount: 2),
        as: String.self
      )
      expectSQL(
        try parts.makePreparedRequest(db).statement,
        #"SELECT SNIPPET("mail", -1, '<', '>', '…', 2) FROM "mail" WHERE "mail" MATCH 'genie'"#
      )
      #expect(try parts.fetchAll(db) == ["The <genie>…"])
      let alias = TableAlias(name: "m")
      let aliased = Mail.all().aliased(alias).matching(FTS5Pattern(matchingAllTokensIn: "genie"))
        .select(FTS5.highlight(column: 1, before: "<", after: ">"), as: String.self)
      #expect(try aliased.fetchAll(db) == ["The <genie> is in."])
    }
  }
}
