import Storage
import Testing

@testable import StorageTestSupport

@Suite struct JSONColumnTests {
  @Test func `A-091: a JSON column is read by key`() throws {
    try expectSQL(JSONColumn("name")["city"] == "Rome", #"("name" ->> 'city') = 'Rome'"#)
  }

  private static let keys = [
    "a", "a.b", "a.b.c", "0", "12", "-1", "", "$", "$.a", "$[0]", "[0]", "a[0]", "#", "#-1", ".a",
    "a b", "a/b", "//", "é", "日本", "back\\slash", "\\", "line\nbreak", "tab\t", "\u{1}", "it's",
    "1e5", "null", "select", "a'b", "😀",
  ]

  @Test(arguments: keys)
  func `a key is a key, whatever its characters are`(_ key: String) throws {
    struct Document: Encodable, PersistableRecord {
      static let databaseTableName = "document"
      let info: [String: Int]
      let list = [7, 8, 9]
      let key: String
    }
    try withDatabase { db in
      try db.execute(sql: "CREATE TABLE document (info TEXT, list TEXT, key)")
      // The values that a path would find instead.
      let others = ["a": 1, "b": 2, "A": 3].filter { $0.key != key }
      try Document(info: others.merging([key: 5]) { $1 }, key: key).insert(db)
      let info = JSONColumn("info")
      func value(_ expression: SQLExpression) throws -> Int? {
        try Int.fetchOne(db, Table("document").select([expression]))
      }
      func json(_ expression: SQLExpression) throws -> String? {
        try String.fetchOne(db, Table("document").select([expression]))
      }
      try #expect(value(info[key]) == 5)
      try #expect(value(info[Column("key")]) == 5)
      try #expect(value(JSONColumn("list")[key]) == nil)
      if !key.hasPrefix("$") {
        try #expect(value(info.jsonValue(at: key)) == 5)
        try #expect(json(info.jsonRepresentation(at: key)) == "5")
        try #expect(json(info.jsonRepresentation(atPath: Column("key")).sqlExpression) == "5")
        let array = Database.jsonArray([info.jsonRepresentation(atPath: key)])
        try #expect(String.fetchOne(db, Table("document").select([array])) == "[5]")
      }
    }
  }

  @Test func `a number is the index of an element`() throws {
    try withDatabase { db in
      let list = #"[7,8,9]"#.databaseValue.asJSON
      let values = [list[0], list[2], list[-1], list[-3], list[3], list[-4]]
      let found = try values.map { try Int.fetchOne(db, SQLRequest<Int>("SELECT \($0)")) }
      #expect(found == [7, 9, 9, 7, nil, nil])
    }
  }

  @Test func `a key with a quotation mark is an error`() throws {
    try withDatabase { db in
      expectDatabaseError(
        .SQLITE_MISUSE,
        """
        a key of JSON with a quotation mark cannot be found in all versions of SQLite: read it \
        with json_each() in SQL
        """
      ) {
        _ = try Row.fetchAll(db, Table("item").select([JSONColumn("name")["a\"b"]]))
      }
    }
  }
}
