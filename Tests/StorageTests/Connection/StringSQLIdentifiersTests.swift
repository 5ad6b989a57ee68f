import Testing

@testable import Storage
@testable import StorageTestSupport

@Suite struct StringSQLIdentifiersTests {
  @Test func `a quote before a combining character is doubled`() throws {
    try withDatabase { db in
      let name = "a\"\u{301}b"
      try db.execute(sql: "CREATE TABLE other (\(name.quotedDatabaseIdentifier))")
    }
  }

  @Test(
    arguments: [
      "item", "select", "two words", "a\"b", "\"", "\"\"", "x\"; DROP TABLE item; --", "[a]", "`a`",
      "it's", "smörgås 🫖", "", "a.b", "%", "-- x", "\n", "\"\"\"quoted\"\"\"",
    ]
  )
  func `any name can be quoted`(name: String) throws {
    try withDatabase { db in
      let quoted = name.quotedDatabaseIdentifier
      try db.execute(sql: "CREATE TABLE other (\(quoted))")
      #expect(
        try String.fetchAll(db, sql: "SELECT name FROM pragma_table_info('other')") == [name]
      )
      try db.execute(sql: "CREATE TABLE \("t\(name)".quotedDatabaseIdentifier) (\(quoted))")
      let tables = "SELECT name FROM sqlite_schema WHERE name LIKE 't%'"
      #expect(try String.fetchAll(db, sql: tables) == ["t\(name)"])
    }
  }
}
