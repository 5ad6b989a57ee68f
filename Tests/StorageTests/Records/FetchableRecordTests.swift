import Foundation
import Storage
import Testing

@testable import StorageTestSupport

@Suite struct FetchableRecordTests {
  enum Color: String, Codable { case red, blue }
  enum Size: Int, Codable { case small = 1, large = 2 }

  struct Part: Codable, Hashable {
    var name: String
    var sizes: [Int]
  }

  struct Everything: Codable, Hashable, FetchableRecord {
    var id: Int64
    var count: Int
    var isNew: Bool
    var price: Double
    var name: String
    var date: Date
    var picture: Data
    var code: UUID
    var color: Color
    var size: Size
    var tags: [String]
    var part: Part
    var stock: [String: Int]
    var note: String?
    var limit: Int?
    var rate: Double?
    var isOld: Bool?
    var end: Date?
    var file: Data?
    var otherColor: Color?
    var parts: [Part]?
  }

  static let code = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!

  static let required = """
    7 AS id, -3 AS count, 1 AS isNew, 4 AS price, 'cup' AS name, '1970-01-02' AS date, \
    x'00FF' AS picture, '\(code.uuidString)' AS code, 'blue' AS color, 2 AS size, \
    '["a","b"]' AS tags, '{"name":"lid","sizes":[1,2]}' AS part, '{"here":3}' AS stock
    """

  var minimum: Everything {
    Everything(
      id: 7,
      count: -3,
      isNew: true,
      price: 4,
      name: "cup",
      date: Date(timeIntervalSince1970: 86_400),
      picture: Data([0, 0xFF]),
      code: Self.code,
      color: .blue,
      size: .large,
      tags: ["a", "b"],
      part: Part(name: "lid", sizes: [1, 2]),
      stock: ["here": 3]
    )
  }

  /// Fetches a record, and expects the same record from a live row and from its copy.
  func fetch<Record: FetchableRecord & Equatable>(
    _ type: Record.Type,
    _ columns: String
  ) throws -> Record? {
    try withDatabase { db in
      let sql = "SELECT \(columns)"
      let record = try Record.fetchOne(db, sql: sql)
      let row = try #require(try Row.fetchOne(db, sql: sql))
      #expect(try Record(row: row) == record)
      #expect(try Record.fetchAll(db, sql: "\(sql) UNION ALL \(sql)") == [record, record])
      return record
    }
  }

  @Test func `every kind of property is read from its column`() throws {
    var record = minimum
    #expect(try fetch(Everything.self, Self.required) == record)
    record.note = "new"
    record.limit = 0
    record.rate = 0.5
    record.isOld = false
    record.end = Date(timeIntervalSince1970: 1)
    record.file = Data()
    record.otherColor = .red
    record.parts = [record.part]
    let optional = """
      'new' AS note, 0 AS "limit", 0.5 AS rate, 0 AS isOld, 1 AS "end", x'' AS file, \
      'red' AS otherColor, '[{"name":"lid","sizes":[1,2]}]' AS parts
      """
    #expect(try fetch(Everything.self, "\(optional), \(Self.required)") == record)
  }

  struct Numbers: Decodable, FetchableRecord {
    var f: Float
    var i: Int32
    var u: UInt8
  }

  @Test func `a Codable record can read Float, Int32 and UInt8`() async {
    await #expect(processExitsWith: .success) {
      try withDatabase { db in
        _ = try Numbers.fetchAll(db, sql: "SELECT 1.5 AS f, 7 AS i, 255 AS u")
      }
    }
  }

  @Test func `an optional property is nil for NULL and for a missing column`() throws {
    let nulls = """
      NULL AS note, NULL AS "limit", NULL AS rate, NULL AS isOld, NULL AS "end", NULL AS file, \
      NULL AS otherColor, NULL AS parts
      """
    #expect(try fetch(Everything.self, "\(nulls), \(Self.required)") == minimum)
    #expect(try fetch(Everything.self, Self.required) == minimum)
  }

  @Test func `columns can be in any order and case, and additional columns are ignored`() throws {
    #expect(
      try fetch(Item.self, "NULL AS PRICE, 0 AS x, 'cup' AS Name, 1 AS ID, 2 AS id2")
        == Item(id: 1, name: "cup", price: nil)
    )
  }

  struct Renamed: Codable, Hashable, FetchableRecord {
    enum CodingKeys: String, CodingKey {
      case id = "item_id"
      case name = "the name"
    }

    var id: Int
    var name: String
  }

  @Test func `a coding key names the column`() throws {
    let record = try fetch(Renamed.self, "1 AS id, 2 AS item_id, 'x' AS name, 'y' AS \"the name\"")
    #expect(record == Renamed(id: 2, name: "y"))
  }

  // MARK: Errors

  @Test(
    arguments: [
      ("1 AS id, 4 AS price", "no column name: the row has id, price"),
      ("'x' AS name", "no column id: the row has name"),
      (
        "1 AS id, NULL AS name",
        "column name is NULL, which String cannot hold: use an optional, or coalesce() in the SQL"
      ),
      (
        "NULL AS id, 'x' AS name",
        "column id is NULL, which Int64 cannot hold: use an optional, or coalesce() in the SQL"
      ),
      ("'1' AS ID, 'x' AS name", "column ID holds '1', which is no Int64"),
      ("1.5 AS id, 'x' AS name", "column id holds 1.5, which is no Int64"),
      ("1 AS id, 5 AS name", "column name holds 5, which is no String"),
      (
        "1 AS id, 'x' AS name, 'dear' AS price",
        "column price holds 'dear', which is no Double"
      ),
    ]
  )
  func `the error of a row that does not fit says why`(columns: String, message: String) throws {
    try withDatabase { db in
      let sql = "SELECT \(columns)"
      expectError("\(message) - in rows of \"\(sql)\"") { _ = try Item.fetchAll(db, sql: sql) }
      let row = try #require(try Row.fetchOne(db, sql: sql))
      expectError(message) { _ = try Item(row: row) }
    }
  }

  @Test func `an unknown raw value is a RowDecodingError`() throws {
    struct Colored: Decodable, FetchableRecord { var color: Color }
    try withDatabase { db in
      #expect(throws: RowDecodingError.self) {
        try Colored.fetchAll(db, sql: "SELECT 'green' AS color")
      }
    }
  }

  @Test func `the error of JSON that does not fit names the column`() throws {
    struct Tagged: Decodable, FetchableRecord { var tags: [String] }
    try withDatabase { db in
      for json in ["[1]", "{}", "[", ""] {
        let error = #expect(throws: RowDecodingError.self) {
          try Tagged.fetchAll(db, sql: "SELECT ? AS tags", arguments: [json])
        }
        #expect("\(error, default: "")".contains("column tags holds JSON that does not fit"))
      }
      let sql = "SELECT NULL AS tags"
      expectError(
        """
        column tags is NULL, which Array<String> cannot hold: use an optional, or coalesce() in the SQL \
        - in rows of "\(sql)"
        """
      ) {
        _ = try Tagged.fetchAll(db, sql: sql)
      }
    }
  }

  struct List: Decodable, FetchableRecord {
    init(from decoder: any Decoder) throws {
      var container = try decoder.unkeyedContainer()
      _ = try container.decode(Int.self)
    }
  }

  struct Single: Decodable, FetchableRecord {
    init(from decoder: any Decoder) throws {
      _ = try decoder.singleValueContainer().decode(Int.self)
    }
  }

  struct Nested: Decodable, FetchableRecord {
    enum Key: CodingKey { case part }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      _ = try container.nestedContainer(keyedBy: Key.self, forKey: .part)
    }
  }

  @Test func `a type that is not decoded from columns cannot be a record`() throws {
    try withDatabase { db in
      func expect(_ message: String, _ body: () throws -> Void) {
        expectError("cannot decode \(message) - in rows of \"SELECT 1 AS part\"", body)
      }
      expect("Row from a row: a row has named columns and is not an unkeyed container") {
        _ = try List.fetchAll(db, sql: "SELECT 1 AS part")
      }
      expect("Int from a row: a row has columns and is not a single value") {
        _ = try Single.fetchAll(db, sql: "SELECT 1 AS part")
      }
      expect("Key from a row: column part has no nested container") {
        _ = try Nested.fetchAll(db, sql: "SELECT 1 AS part")
      }
    }
  }

  // MARK: Records of other kinds

  struct Manual: FetchableRecord, Equatable {
    var total: Int

    init(row: Row) throws { total = try row.decode(Int.self, atIndex: 0) + row["b"] }
    init(total: Int) { self.total = total }
  }

  @Test func `a record can implement init(row:)`() throws {
    #expect(try fetch(Manual.self, "1, 2 AS b") == Manual(total: 3))
    #expect(throws: RowDecodingError.self) { try fetch(Manual.self, "NULL, 2 AS b") }
  }

  @Test func `ROW-17: records of several types are read from the rows of one query`() throws {
    struct Name: Codable, Hashable, FetchableRecord { var name: String }
    try withDatabase { db in
      let sql = "SELECT column1 AS id, column2 AS name FROM (VALUES (1, 'cup'), (2, 'pot'))"
      let cursor = try Row.fetchCursor(db, sql: sql)
      var names: [String] = []
      while let row = try cursor.next() {
        names.append(try Name(row: row).name)
        names.append(try Item(row: row).name)
        names.append(try Name(row: row.copy()).name)
      }
      #expect(names == ["cup", "cup", "cup", "pot", "pot", "pot"])
    }
  }
}
