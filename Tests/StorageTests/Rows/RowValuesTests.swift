import Storage
import Testing

@testable import StorageTestSupport

@Suite struct RowValuesTests {
  static let sql = "SELECT 1 AS id, 'cup' AS Name, NULL AS price, 2 AS ID"

  @Test func `ROW-05, ROW-06: columns are read by index, and by name ignoring case`() throws {
    try withRows(Self.sql) { row throws in
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

  @Test func `a subscript reads the leftmost of several columns with the same name`() throws {
    try withRows("SELECT 1 AS a, 2 AS a, 3 AS B, 4 AS B") { row in
      #expect(row["a"] == 1)
      #expect(row["A"] == 1)
      #expect(row["b"] == 3)
      #expect(row["B"] == 3)
    }
  }

  @Test func `decode throws when a name is ambiguous, but a subscript reads the leftmost column`()
    throws
  {
    let row = Row(["NAME": 1, "name": 2])
    #expect(row["name"] == 1)
    #expect(throws: RowDecodingError.self) { try row.decode(Int.self, forColumn: "Name") }
  }

  @Test func `similar names are different columns`() throws {
    try withRows("SELECT 1 AS ä, 2 AS Ä, 3 AS \"\", 4 AS \"a\"\"b\", 5 AS \" a\"") { row in
      #expect(row["ä"] == 1)
      #expect(row["Ä"] == 2)
      #expect(row[""] == 3)
      #expect(row["a\"b"] == 4)
      #expect(row[" a"] == 5)
      #expect(!row.hasColumn("a"))
    }
  }

  @Test func `ROW-08, ROW-09, ROW-10: the context determines the type of a value`() throws {
    try withRows("SELECT 1 AS id, NULL AS score") { row in
      let id: Int = row["id"]
      #expect(id == 1)
      #expect((row["score"] as Int?) == nil)
      #expect((row[0] as Int?) == 1)
      let value: DatabaseValue = row["score"]
      #expect(value.isNull)
    }
  }

  @Test func `A-035: coalesce returns the first value that is not NULL`() throws {
    try withRows("SELECT NULL AS a, 2 AS b, 3 AS c") { row in
      #expect(row.coalesce(["a", "b", "c"]) == 2)
      #expect(row.coalesce(["c", "b"]) == 3)
      #expect(row.coalesce(["a"]) == Int?.none)
      #expect(row.coalesce([]) == Int?.none)
    }
  }

  @Test func `A-035: decodeIfPresent returns nil for a missing column and for NULL`() throws {
    try withRows("SELECT NULL AS a, 2 AS b, 'x' AS c, 1 AS d, 2 AS d") { row throws in
      #expect(row.hasNull(atIndex: 0))
      #expect(!row.hasNull(atIndex: 1))
      #expect(try row.decodeIfPresent(Int.self, forColumn: "a") == nil)
      #expect(try row.decodeIfPresent(Int.self, forColumn: "B") == 2)
      #expect(try row.decodeIfPresent(Int.self, forColumn: "z") == nil)
      #expect(try row.decodeIfPresent(Int.self, atIndex: 0) == nil)
      #expect(try row.decodeIfPresent(Int.self, atIndex: 1) == 2)
      #expect(try row.decodeIfPresent(Int.self, atIndex: 9) == nil)
      #expect(throws: RowDecodingError.self) { try row.decodeIfPresent(Int.self, forColumn: "c") }
      #expect(throws: RowDecodingError.self) { try row.decodeIfPresent(Int.self, atIndex: 2) }
      #expect(throws: RowDecodingError.self) { try row.decodeIfPresent(Int.self, forColumn: "d") }
    }
  }

  @Test func `columns are found in every row, in any order of names`() throws {
    try withDatabase { db in
      let columns = (0..<20).map { "\($0) AS a_rather_long_column_name_\($0)" }
      let sql = "SELECT \(columns.joined(separator: ", ")) FROM (VALUES (1), (2), (3), (4))"
      let cursor = try Row.fetchCursor(db, sql: sql)
      while let row = try cursor.next() {
        for index in (0..<20).shuffled() + (0..<20).shuffled() {
          // The names are new strings for every row.
          #expect(row["A_rather_long_column_name_\(index)"] == index)
          #expect(row["a_rather_long_column_name_\(index)"] == index)
          #expect(!row.hasColumn("a_rather_long_column_name_\(index + 20)"))
        }
      }
    }
  }
}
