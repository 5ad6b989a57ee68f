@testable import Storage
import Testing

@Suite struct TableNameTests {
  @Test func `names are compared without the case of ASCII letters, as SQLite does`() {
    let name = TableName(schema: "MAIN", name: "Item")
    #expect(name == TableName(schema: "main", name: "iTEM"))
    #expect(name.hashValue == TableName(schema: "main", name: "item").hashValue)
    #expect(name != TableName(schema: "temp", name: "item"))
    #expect(TableName(schema: "main", name: "ÄRA") != TableName(schema: "main", name: "ära"))
    #expect("ÄBC_1É".asciiLowercased == "Äbc_1É")
  }

  @Test func `the description leaves out the main schema`() {
    #expect(TableName(schema: "main", name: "Item").description == "item")
    #expect(TableName(schema: "Temp", name: "Item").description == "temp.item")
  }

  @Test func `SQLite's own tables are known by their names`() {
    #expect(TableName(schema: "main", name: "SQLite_Sequence").isInternal)
    #expect(!TableName(schema: "main", name: "sqlitem").isInternal)
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
