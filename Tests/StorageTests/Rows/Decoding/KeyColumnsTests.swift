import Foundation
import Storage
import Testing

@testable import StorageTestSupport

/// The columns that a record's coding keys have found in an earlier row of the result.
@Suite struct KeyColumnsTests {
  struct Item: Decodable, FetchableRecord, Equatable {
    var id: Int
    var name: String?
    var price: Double
    var day: Date?
  }

  @Test func `each result is read by its own columns`() throws {
    let day = try #require(
      Date.fromDatabaseValue("2024-02-29 01:02:03.004".databaseValue)
    )
    let items = [
      Item(id: 1, name: "a", price: 1.5, day: day), Item(id: 2, name: nil, price: 2, day: nil),
      Item(id: 3, name: "c", price: 0, day: day),
    ]
    try withDatabase { db in
      let values = """
        WITH item (id, name, price, day) AS (VALUES (1, 'a', 1.5, '2024-02-29 01:02:03.004'),
          (2, NULL, 2.0, NULL), (3, 'c', 0.0, '2024-02-29 01:02:03.004'))
        """
      for columns in ["id, name, price, day", "day, 7 AS other, price, name, id", "*"] {
        let fetched = try Item.fetchAll(db, sql: "\(values) SELECT \(columns) FROM item")
        #expect(fetched == items)
      }
      // Without a column for an optional property.
      let short = try Item.fetchAll(db, sql: "\(values) SELECT price, id FROM item")
      #expect(short.map(\.id) == [1, 2, 3])
      #expect(short.allSatisfy { $0.name == nil && $0.day == nil })
    }
  }

  @Test func `a value that does not fit is an error in a later row too`() throws {
    try withDatabase { db in
      let sql = "SELECT column1 AS id, 'a' AS name, 1.5 AS price FROM (VALUES (1), (2), ('three'))"
      let error = #expect(throws: RowDecodingError.self) { try Item.fetchAll(db, sql: sql) }
      #expect(error?.column == "id")
      #expect(error?.found?.contains("three") == true)
    }
  }

  /// Reads one row by two types of keys, whose values have the same bytes.
  struct Pair: Decodable, FetchableRecord, Equatable {
    enum First: CodingKey { case x, y }
    enum Second: CodingKey { case y, x }

    var first: [Int]
    var second: [Int]
    var isPresent: [Bool]

    init(from decoder: any Decoder) throws {
      let one = try decoder.container(keyedBy: First.self)
      let two = try decoder.container(keyedBy: Second.self)
      first = try [
        one.decode(Int.self, forKey: .x), one.decodeIfPresent(Int.self, forKey: .y) ?? 0,
      ]
      second = try [
        two.decode(Int.self, forKey: .x), two.decodeIfPresent(Int.self, forKey: .y) ?? 0,
      ]
      isPresent = try [one.contains(.y), one.decodeNil(forKey: .y), two.decodeNil(forKey: .x)]
    }
  }

  @Test func `two types of keys of one row have their own columns`() throws {
    try withDatabase { db in
      let sql = "SELECT column1 AS x, column2 AS y FROM (VALUES (1, 2), (3, NULL), (5, 6))"
      let pairs = try Pair.fetchAll(db, sql: sql)
      #expect(pairs.map(\.first) == [[1, 2], [3, 0], [5, 6]])
      #expect(pairs.map(\.second) == pairs.map(\.first))
      let expected = [[true, false, false], [true, true, false], [true, false, false]]
      #expect(pairs.map(\.isPresent) == expected)
    }
  }

  /// Keys of no byte, because there is one, and keys of many bytes.
  struct Odd: Decodable, FetchableRecord, Equatable {
    enum Single: String, CodingKey { case only = "x" }
    struct Name: CodingKey {
      let stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    var values: [Int]

    init(from decoder: any Decoder) throws {
      let single = try decoder.container(keyedBy: Single.self)
      let names = try decoder.container(keyedBy: Name.self)
      values = try [
        single.decode(Int.self, forKey: .only),
        names.decode(Int.self, forKey: Name(stringValue: "y")),
        names.decode(Int.self, forKey: Name(stringValue: "x")),
      ]
    }
  }

  @Test func `keys of other sizes name columns too`() throws {
    try withDatabase { db in
      let sql = "SELECT column1 AS x, column2 AS y FROM (VALUES (1, 2), (3, 4))"
      let values = try Odd.fetchAll(db, sql: sql).map(\.values)
      #expect(values == [[1, 2, 1], [3, 4, 3]])
    }
  }

  struct X: Decodable, FetchableRecord, Equatable { var x: Int }
  struct Y: Decodable, FetchableRecord, Equatable { var y: String }

  @Test func `two types are decoded from each row of one cursor`() throws {
    try withDatabase { db in
      let sql = "SELECT column2 AS y, column1 AS x FROM (VALUES (1, 'a'), (2, 'b'), (3, 'c'))"
      let rows = try Row.fetchCursor(db, sql: sql)
      var found: [String] = []
      while let row = try rows.next() {
        found.append("\(try X(row: row).x)\(try Y(row: row).y)\(try X(row: row).x)")
      }
      #expect(found == ["1a1", "2b2", "3c3"])
    }
  }
}
