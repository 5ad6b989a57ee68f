import Foundation
import Storage
import Testing

@Suite struct RowCollectionTests {
  func withRows(_ sql: String, _ body: (Row) throws -> Void) throws {
    try withDatabase { db in
      let cursor = try Row.fetchCursor(db, sql: sql)
      let row = try #require(try cursor.next())
      try body(row)
      try body(row.copy())
    }
  }

  @Test func `ROW-18, A-034: a row is a collection of names and values`() throws {
    try withRows("SELECT 1 AS id, 'cup' AS name, NULL AS id") { row in
      var pairs: [String] = []
      for (name, value) in row { pairs.append("\(name)=\(value)") }
      #expect(pairs == ["id=1", "name='cup'", "id=NULL"])
      #expect(row.reversed().map(\.0) == ["id", "name", "id"])
      #expect(row.count == 3)
      #expect(!row.isEmpty)
      #expect(row.first?.1 == 1.databaseValue)
      #expect(row.last?.1 == .null)
      #expect(row.dropFirst().first?.0 == "name")
      #expect(row.firstIndex { $0.0 == "name" }?.column == 1)
      #expect(row[row.index(row.startIndex, offsetBy: 1)].0 == "name")
      #expect(row.distance(from: row.startIndex, to: row.endIndex) == 3)
      let dictionary = Dictionary(row.map { ($0, $1) }, uniquingKeysWith: { left, _ in left })
      #expect(dictionary == ["id": 1.databaseValue, "name": "cup".databaseValue])
    }
  }

  @Test func `A-034: rows are made of dictionaries`() throws {
    let literal: Row = ["b": 1, "a": nil]
    #expect(literal.columnNames == ["b", "a"])
    let dictionary: [String: (any DatabaseValueConvertible)?] = ["b": 1, "a": "x"]
    #expect(Row(dictionary).description == "[a:'x' b:1]")
    let untrusted: [AnyHashable: Any] = ["b": 1, "a": Data([1])]
    #expect(Row(untrusted)?.description == "[a:x'01' b:1]")
    #expect(Row(["a": [1]] as [AnyHashable: Any]) == nil)
    #expect(Row([1: "a"] as [AnyHashable: Any]) == nil)
    #expect(Row().isEmpty)
    #expect(Row() == [:])
  }

  @Test func `A-035: the first value that is not NULL is taken`() throws {
    try withRows("SELECT NULL AS a, 2 AS b, 3 AS c") { row in
      #expect(row.coalesce(["a", "b", "c"]) == 2)
      #expect(row.coalesce(["c", "b"]) == 3)
      #expect(row.coalesce(["a"]) == Int?.none)
      #expect(row.coalesce([]) == Int?.none)
    }
  }

  @Test func `A-035: a column may be missing or NULL`() throws {
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

  @Test func `VAL-08, A-035: bytes are read without copying them`() throws {
    try withRows("SELECT x'0102' AS a, 'ö' AS b, x'' AS c, NULL AS d, 5 AS e, '' AS f") {
      row throws in
      let bytes = { (data: Data?) in data.map(Array.init) }
      #expect(try row.withUnsafeData(atIndex: 0, bytes) == [1, 2])
      #expect(try row.withUnsafeData(named: "A", bytes) == [1, 2])
      #expect(try row.withUnsafeData(atIndex: 1, bytes) == [0xC3, 0xB6])
      #expect(try row.withUnsafeData(atIndex: 2, bytes) == [])
      #expect(try row.withUnsafeData(atIndex: 3, bytes) == nil)
      #expect(try row.withUnsafeData(atIndex: 5, bytes) == [])
      #expect(throws: RowDecodingError.self) { try row.withUnsafeData(atIndex: 4, bytes) }
      #expect(throws: RowDecodingError.self) { try row.withUnsafeData(atIndex: 6, bytes) }
      #expect(throws: RowDecodingError.self) { try row.withUnsafeData(named: "z", bytes) }
      #expect(try row.withSpan(atIndex: 0) { $0.byteCount } == 2)
      #expect(
        try row.withSpan(atIndex: 1) { $0.unsafeLoad(fromByteOffset: 1, as: UInt8.self) } == 0xB6
      )
      #expect(try row.withSpan(atIndex: 2) { $0.isEmpty })
      for index in [3, 4, 6] {
        #expect(throws: RowDecodingError.self) { try row.withSpan(atIndex: index) { $0.byteCount } }
      }
    }
  }

  @Test func `CUR-05: the bytes of a live row are SQLite's own`() throws {
    try withDatabase { db in
      let cursor = try Row.fetchCursor(db, sql: "SELECT zeroblob(100000)")
      let row = try #require(try cursor.next())
      func address(_ bytes: RawSpan) -> Int {
        bytes.withUnsafeBytes { Int(bitPattern: $0.baseAddress) }
      }
      let first = try row.withSpan(atIndex: 0, address)
      #expect(try row.withSpan(atIndex: 0, address) == first)
      let data = try row.withUnsafeData(atIndex: 0) { data in
        data?.withUnsafeBytes { Int(bitPattern: $0.baseAddress) }
      }
      #expect(data == first)
    }
  }

  @Test func `ROW-08, ROW-09, ROW-10: the wanted type decides`() throws {
    try withRows("SELECT 1 AS id, NULL AS score") { row in
      let id: Int = row["id"]
      #expect(id == 1)
      #expect((row["score"] as Int?) == nil)
      #expect((row[0] as Int?) == 1)
      let value: DatabaseValue = row["score"]
      #expect(value.isNull)
    }
  }
}
