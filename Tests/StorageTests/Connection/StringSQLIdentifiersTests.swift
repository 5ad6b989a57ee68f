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

  @Test(
    arguments: [
      ("name", "name", true), ("name", "NAME", true), ("name", "nAmE", true),
      ("name", "names", false),
      ("name", "game", false), ("a@", "a`", false), ("a[", "a{", false), ("a_1", "A_1", true),
      ("é", "É", false), ("\u{E9}", "e\u{301}", false), ("", "", true), ("k", "\u{212A}", false),
    ]
  )
  func `names are compared as in SQLite`(left: String, right: String, areSame: Bool) {
    #expect(left.isSameName(as: right) == areSame)
    #expect(right.isSameName(as: left) == areSame)
  }
}
