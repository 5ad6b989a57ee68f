import Storage
import Testing

@testable import StorageTestSupport

@Suite struct RowErrorsTests {
  static let sql = "SELECT 1 AS id, 'cup' AS Name, NULL AS price, 2 AS ID"

  @Test(
    arguments: [
      ("stock", "no column stock: the row has id, Name, price, ID"),
      ("", "no column : the row has id, Name, price, ID"),
      (
        "price",
        "column price is NULL, which Int cannot hold: use an optional, or coalesce() in the SQL"
      ),
      ("name", "column Name holds 'cup', which is no Int"),
    ]
  )
  func `ROW-11: an error names the column, the type, the value and the SQL`(
    name: String,
    message: String
  ) throws {
    try withDatabase { db in
      let cursor = try Row.fetchCursor(db, sql: Self.sql)
      let row = try #require(try cursor.next())
      expectError("\(message) - in rows of \"\(Self.sql)\"") {
        _ = try row.decode(Int.self, forColumn: name)
      }
      // A copy does not store the SQL of its query.
      let copy = row.copy()
      expectError(message) { _ = try copy.decode(Int.self, forColumn: name) }
    }
  }

  @Test(arguments: [-1, 4, Int.max, Int.min, 1 << 32])
  func `decoding an index that is out of range is an error`(index: Int) throws {
    try withRows(Self.sql) { row in
      let error = #expect(throws: RowDecodingError.self) {
        try row.decode(Int.self, atIndex: index)
      }
      #expect(error?.reason == .missingColumn)
      #expect(error?.column == "\(index)")
      #expect(error?.expectedType == "Int")
      #expect(error?.found == nil)
      #expect(error?.availableColumns == ["id", "Name", "price", "ID"])
    }
  }

  @Test func `an error shortens a long value`() throws {
    let blob = String(repeating: "00", count: 500)
    try withRows("SELECT x'\(blob)' AS picture") { row in
      let error = #expect(throws: RowDecodingError.self) {
        try row.decode(Int.self, forColumn: "picture")
      }
      #expect(error?.reason == .mismatch)
      #expect(error?.found == "BLOB x'00000000000000000000000000000000000000…")
    }
  }

  @Test func `ROW-09: a subscript whose value does not fit stops the program`() async {
    let text = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let row = Row(["name": "cup"])
      let name: Int = row["name"]
      print(name)
    }
    let message = String(decoding: text?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("column name holds 'cup', which is no Int"))
  }

  @Test func `a subscript of a missing column stops the program`() async {
    let text = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      try DatabaseQueue().read { db in
        let cursor = try Row.fetchCursor(db, sql: "SELECT 1 AS id, 2 AS price")
        while let row = try cursor.next() { print(row["name"] as String) }
      }
    }
    let message = String(decoding: text?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("no column name: the row has id, price"))
  }

  @Test func `a subscript that is out of range stops the program`() async {
    await #expect(processExitsWith: .failure) {
      let row = Row(["name": "cup"])
      let name: String? = row[1]
      print(name ?? "")
    }
  }
}
