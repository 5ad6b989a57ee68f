import Foundation
import Storage
import Testing

@testable import StorageTestSupport

/// How `Encodable` properties are stored in columns.
@Suite struct EncodableRecordTests {
  enum Color: String, Codable { case red, blue }
  enum Size: Int, Codable { case small = 1, large = 2 }

  struct Part: Codable, Hashable {
    var sizes: [Int]
    var name: String?
  }

  struct Everything: Codable, Hashable, FetchableRecord, PersistableRecord {
    var id: Int64 = 1
    var isNew = true
    var count = -3
    var price = 1.5
    var name = "cup"
    var date = Date(timeIntervalSince1970: 86_400.25)
    var picture = Data([0, 0xFF])
    var color = Color.blue
    var size = Size.large
    var tags = ["b", "a"]
    var part = Part(sizes: [1, 2], name: "lid")
    var note: String?
    var limit: Int?
    var end: Date?
    var otherColor: Color?
    var parts: [Part]?
  }

  static let columns = Row(
    [
      "id": 1, "isNew": 1, "count": -3, "price": 1.5, "name": "cup",
      "date": "1970-01-02 00:00:00.250", "picture": Data([0, 0xFF]), "color": "blue", "size": 2,
      "tags": #"["b","a"]"#, "part": #"{"name":"lid","sizes":[1,2]}"#,
      "note": nil, "limit": nil, "end": nil, "otherColor": nil, "parts": nil,
    ]
  )

  /// Creates a table for ``Everything``. The columns have no type, and a default that reveals
  /// whether they were written.
  func withTable(_ body: (Database) throws -> Void) throws {
    try withDatabase { db in
      let columns = Self.columns.columnNames.map {
        "\($0.quotedDatabaseIdentifier) \($0 == "id" ? "PRIMARY KEY" : "DEFAULT 'not written'")"
      }
      try db.execute(sql: "CREATE TABLE everything (\(columns.joined(separator: ", ")))")
      try body(db)
    }
  }

  @Test func `every kind of property is written to its column, with nil as NULL`() throws {
    try withTable { db in
      try Everything().insert(db)
      #expect(try Row.fetchAll(db, sql: "SELECT * FROM everything") == [Self.columns])
    }
  }

  @Test func `a record is stored and read unchanged`() throws {
    var record = Everything()
    record.id = 2
    record.note = "it's\0"
    record.limit = 0
    record.end = Date(timeIntervalSince1970: -1)
    record.otherColor = .red
    record.parts = [Part(sizes: []), Part(sizes: [1], name: "\"")]
    try withTable { db in
      try Everything().insert(db)
      try record.insert(db)
      let all = "SELECT * FROM everything ORDER BY id"
      #expect(try Everything.fetchAll(db, sql: all) == [Everything(), record])
      // A column that was set must become NULL again.
      var other = Everything()
      other.id = 2
      try other.update(db)
      try record.delete(db)
      try other.insert(db)
      #expect(try Everything.fetchAll(db, sql: all) == [Everything(), other])
    }
  }

  struct Numbers: Encodable, PersistableRecord {
    var f: Float
    var i: Int32
    var u: UInt8
  }

  @Test func `a Codable record can store Float, Int32 and UInt8`() async {
    await #expect(processExitsWith: .success) {
      try withDatabase { db in
        try db.execute(sql: "CREATE TABLE numbers (f, i, u)")
        try Numbers(f: 1.5, i: 7, u: 255).insert(db)
      }
    }
  }

  @Test func `missing numbers of every type are stored as NULL, also by an update`() throws {
    struct Numbers: Codable, Equatable, FetchableRecord, PersistableRecord {
      var id = 1
      var float: Float? = 1.5
      var double: Double? = 2.5
      var int8: Int8? = 8
      var int16: Int16? = 16
      var int32: Int32? = 32
      var int64: Int64? = 64
      var uint: UInt? = 1
      var uint8: UInt8? = 8
      var uint16: UInt16? = 16
      var uint32: UInt32? = 32
      var uint64: UInt64? = 64
    }
    try withDatabase { db in
      try db.execute(
        sql: """
          CREATE TABLE numbers (id INTEGER PRIMARY KEY, float, double, int8, int16, int32 DEFAULT -1,
          int64, uint, uint8, uint16, uint32, uint64)
          """
      )
      try Numbers().insert(db)
      #expect(try Numbers.find(db, key: 1) == Numbers())
      let none = Numbers(
        float: nil,
        double: nil,
        int8: nil,
        int16: nil,
        int32: nil,
        int64: nil,
        uint: nil,
        uint8: nil,
        uint16: nil,
        uint32: nil,
        uint64: nil
      )
      #expect(try none.databaseDictionary.count == 12)
      try none.update(db)
      #expect(try Numbers.find(db, key: 1) == none)
      var other = none
      other.id = 2
      try other.insert(db)
      #expect(try Numbers.find(db, key: 2) == other)
    }
  }

  @Test func `decimals and URLs are stored and read in typed columns`() throws {
    struct Offer: Codable, FetchableRecord, PersistableRecord, Equatable {
      var price: Decimal
      var page: URL
    }
    try withDatabase { db in
      try db.execute(sql: "CREATE TABLE offer (price NUMERIC, page TEXT)")
      let offer = Offer(price: Decimal(string: "12.5")!, page: URL(string: "https://a.b/c")!)
      try offer.insert(db)
      #expect(try String.fetchOne(db, sql: "SELECT page FROM offer") == "https://a.b/c")
      #expect(try Offer.fetchAll(db, sql: "SELECT * FROM offer") == [offer])
    }
  }

  @Test func `an update writes nil as NULL`() throws {
    try withTable { db in
      var record = Everything()
      record.note = "note"
      record.parts = []
      try record.insert(db)
      #expect(try String.fetchOne(db, sql: "SELECT parts FROM everything") == "[]")
      try Everything().update(db)
      #expect(try Row.fetchAll(db, sql: "SELECT * FROM everything") == [Self.columns])
    }
  }

  // MARK: Types that are not records

  struct List: Encodable, PersistableRecord {
    static let databaseTableName = "item"

    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      try container.encode(1)
    }
  }

  struct Single: Encodable, PersistableRecord {
    static let databaseTableName = "item"

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode("cup")
    }
  }

  struct Nested: Encodable, PersistableRecord {
    static let databaseTableName = "item"
    enum Key: CodingKey { case id }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      var nested = container.nestedContainer(keyedBy: Key.self, forKey: .id)
      try nested.encode(1, forKey: .id)
    }
  }

  @Test func `a type that is not encoded into columns cannot be a record`() throws {
    func check(_ record: some PersistableRecord, _ what: String, _ db: Database) {
      let error = #expect(throws: EncodingError.self) { try record.insert(db) }
      guard case .invalidValue(_, let context) = error else { return }
      #expect(
        context.debugDescription
          == "a record encodes one coding key for each column, but this one encodes \(what)"
      )
    }
    try withDatabase { db throws in
      check(List(), "an array", db)
      check(Single(), "a single value", db)
      check(Nested(), "a nested container", db)
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM item") == 0)
    }
  }

  @Test func `an encoding error inserts nothing, and the next record is inserted correctly`() throws
  {
    struct Unlucky: Encodable, PersistableRecord {
      struct Refusal: Error {}
      static let databaseTableName = "item"
      enum Key: CodingKey { case id, name }
      var id: Int
      var name: String?

      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(id, forKey: .id)
        guard let name else { throw Refusal() }
        try container.encode(name, forKey: .name)
      }
    }
    try withDatabase { db in
      #expect(throws: Unlucky.Refusal.self) { try Unlucky(id: 1).insert(db) }
      try Unlucky(id: 2, name: "two").insert(db)
      #expect(throws: Unlucky.Refusal.self) { try Unlucky(id: 3).insert(db) }
      try Unlucky(id: 4, name: "four").insert(db)
      #expect(try Int.fetchAll(db, sql: "SELECT id FROM item") == [2, 4])
      #expect(try String.fetchAll(db, sql: "SELECT name FROM item") == ["two", "four"])
    }
  }
}
