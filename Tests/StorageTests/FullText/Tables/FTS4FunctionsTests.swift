import Storage
import Testing

@testable import StorageTestSupport

@Suite struct FTS4FunctionsTests {
  @Test func `FTS4 functions describe the matches`() throws {
    try withDatabase { db throws in
      try db.create(virtualTable: "mail", using: "fts4(subject, body)")
      for mail in Mail.samples { try mail.insert(db) }
      let found = Mail.matching(FTS3Pattern(matchingAllTokensIn: "genie"))
      let parts = found.select(FTS4.snippet(before: "<", after: ">"), as: String.self)
      #expect(try parts.fetchAll(db) == ["The <genie> is in."])
      expectSQL(
        try parts.makePreparedRequest(db).statement,
        #"SELECT SNIPPET("mail", '<', '>', '…', -1, 16) FROM "mail" WHERE "mail" MATCH 'genie'"#
      )
      #expect(try found.select(FTS4.offsets(), as: String.self).fetchOne(db) == "1 0 4 5")
      expectSQL(
        try found.select(FTS4.matchInfo()).makePreparedRequest(db).statement,
        #"SELECT MATCHINFO("mail", 'pcx') FROM "mail" WHERE "mail" MATCH 'genie'"#
      )
    }
  }
}
