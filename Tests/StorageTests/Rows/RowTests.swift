import Foundation
import Storage
import Testing

@Suite struct RowTests {
  static let sql = "SELECT 1 AS id, 'cup' AS Name, NULL AS price, 2 AS ID"

  /// Runs a test on the row that a cursor stands on, and on its copy.
  func withRows(_ sql: String = sql, _ body: (Row) throws -> Void) throws {
    try withDatabase { db in
      let cursor = try Row.fetchCursor(db, sql: sql)
      let row = try #require(try cursor.next())
      try body(row)
      try body(row.copy())
    }
  }

  @Test func `ROW-05, ROW-06: columns are reached by index and by name, in whatever case`() throws {
    try withRows { row throws in
      #expect(row.count == 4)
      #expect(row.columnNames == ["id", "Name", "price", "ID"])
      #expect(row[1] == "cup")
      #expect(row["Name"] == "cup")
      #expect(row["name"] == "cup")
      #expect(row["NAME"] == "cup")
      #expect(try row.decode(String.self, atIndex: 1) == "cup")
      #expect(try row.decode(String.self, forColumn: "nAME") == "cup")
      #expect(row["price"] == Double?.none)
      #expect(try row.decode(Double?.self, forColumn: "price") == nil)
      #expect(row.hasColumn("PRICE"))
      #expect(!row.hasColumn("stock"))
      #expect(!row.hasColumn(""))
      #expect(row.databaseValue(at: 2) == .null)
      let values: [(any DatabaseValueConvertible)?] = [1, "cup", nil, 2]
      #expect(row.databaseValues == values.map { $0?.databaseValue ?? .null })
    }
  }

  @Test func `of columns with one name the leftmost is taken`() throws {
    try withRows("SELECT 1 AS a, 2 AS a, 3 AS B, 4 AS B") { row in
      #expect(row["a"] == 1)
      #expect(row["A"] == 1)
      #expect(row["b"] == 3)
      #expect(row["B"] == 3)
    }
  }

  @Test func `names that look alike are different columns`() throws {
    try withRows("SELECT 1 AS ä, 2 AS Ä, 3 AS \"\", 4 AS \"a\"\"b\", 5 AS \" a\"") { row in
      #expect(row["ä"] == 1)
      #expect(row["Ä"] == 2)
      #expect(row[""] == 3)
      #expect(row["a\"b"] == 4)
      #expect(row[" a"] == 5)
      #expect(!row.hasColumn("a"))
    }
  }

  // MARK: Errors

  @Test(
    arguments: [
      ("stock", "no column stock: the row has id, Name, price, ID"),
      ("", "no column : the row has id, Name, price, ID"),
      ("price", "column price is NULL, which Int cannot hold"),
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
      // A copy does not know where it comes from.
      let copy = row.copy()
      expectError(message) { _ = try copy.decode(Int.self, forColumn: name) }
    }
  }

  @Test(arguments: [-1, 4, Int.max, Int.min, 1 << 32])
  func `an index that is out of range is an error`(index: Int) throws {
    try withRows { row in
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

  // MARK: Copies

  @Test func `ROW-13: the row of a cursor changes with the cursor, a copy stays`() throws {
    try withDatabase { db in
      let sql = "SELECT column1 AS id, column2 AS name FROM (VALUES (1, 'cup'), (2, 'pot'))"
      let cursor = try Row.fetchCursor(db, sql: sql)
      let first = try #require(try cursor.next())
      let copy = first.copy()
      #expect(copy == first)
      #expect(copy.copy() === copy)
      let second = try #require(try cursor.next())
      #expect(second["name"] == "pot")
      #expect(second != copy)
      #expect(copy == Row(["id": 1, "name": "cup"]))
      #expect(try cursor.next() == nil)
      #expect(copy["name"] == "cup")
    }
  }

  @Test func `a fetched row leaves its access`() throws {
    let shop = try Shop()
    let rows = try shop.pool.read { db in try Row.fetchAll(db, sql: "SELECT * FROM item") }
    try shop.pool.write { db in try db.execute(sql: "DROP TABLE item") }
    #expect(rows.map { $0["name"] } == ["cup", "pot"])
    #expect(rows[0].description == "[id:1 name:'cup' price:4.0]")
  }

  @Test func `rows are equal when their names and values are`() {
    let row = Row(["id": 1, "name": "cup", "price": nil])
    let same = Row(["id": 1, "name": "cup", "price": nil])
    #expect(row == same)
    #expect(row.hashValue == same.hashValue)
    #expect(Set([row, same]).count == 1)
    #expect(row != Row(["id": 1, "name": "cup"]))
    #expect(row != Row(["id": 1, "name": "cup", "cost": nil]))
    #expect(row != Row(["name": "cup", "id": 1, "price": nil]))
    #expect(row != Row(["id": 1.0, "name": "cup", "price": nil]))
    #expect(Row([:]) == Row([:]))
  }

  @Test func `a row can be made of names and values`() throws {
    let row = Row(["a": 1, "b": nil, "a": "again"])
    #expect(row.count == 3)
    #expect(row["a"] == 1)
    #expect(row[2] == "again")
    #expect(row.description == "[a:1 b:NULL a:'again']")
    #expect(Row([:]).columnNames == [])
    expectError("no column x: the row has ") { _ = try Row([:]).decode(Int.self, forColumn: "x") }
  }

  @Test func `names are found in every row, in whatever order they are asked for`() throws {
    try withDatabase { db in
      let columns = (0..<20).map { "\($0) AS a_rather_long_column_name_\($0)" }
      let sql = "SELECT \(columns.joined(separator: ", ")) FROM (VALUES (1), (2), (3), (4))"
      let cursor = try Row.fetchCursor(db, sql: sql)
      while let row = try cursor.next() {
        for index in (0..<20).shuffled() + (0..<20).shuffled() {
          // The names are new strings in every row.
          #expect(row["A_rather_long_column_name_\(index)"] == index)
          #expect(row["a_rather_long_column_name_\(index)"] == index)
          #expect(!row.hasColumn("a_rather_long_column_name_\(index + 20)"))
        }
      }
    }
  }
}
