@testable import Storage
import Testing

@Suite struct QuotedIdentifierTests {
  @Test func `a quote before a combining character is doubled`() throws {
    try withDatabase { db in
      let name = "a\"\u{301}b"
      try db.execute(sql: "CREATE TABLE other (\(name.quotedDatabaseIdentifier))")
    }
  }
}
