import Foundation
import Storage
import Testing

/// Types that get their conversion from what else they are: raw values, JSON, texts.
@Suite struct ConvertibleTypesTests {
  enum Color: Int, DatabaseValueConvertible { case red, white }
  enum Grape: String, Codable, DatabaseValueConvertible { case merlot, syrah }
  struct Tag: RawRepresentable, Hashable, DatabaseValueConvertible { var rawValue: String }

  struct Address: Codable, Hashable, DatabaseValueConvertible {
    var street: String
    var since: Date?
    var codes: [Int] = []
  }

  /// Encodes itself as one value.
  struct Name: Codable, Hashable, DatabaseValueConvertible {
    var text: String

    init(_ text: String) { self.text = text }
    init(from decoder: any Decoder) throws {
      text = try decoder.singleValueContainer().decode(String.self)
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(text)
    }
  }

  struct Verbose: Codable, Hashable, DatabaseValueConvertible {
    var at: Date
    static func databaseJSONEncoder() -> JSONEncoder {
      let encoder = JSONEncoder()
      encoder.dateEncodingStrategy = .iso8601
      return encoder
    }
    static func databaseJSONDecoder() -> JSONDecoder {
      let decoder = JSONDecoder()
      decoder.dateDecodingStrategy = .iso8601
      return decoder
    }
  }

  func roundTrip<Value: DatabaseValueConvertible & Hashable>(
    _ value: Value,
    _ stored: (any DatabaseValueConvertible)?,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try withDatabase { db in
      let cursor = try Row.fetchCursor(db, sql: "SELECT ? AS v", arguments: [value])
      let row = try #require(try cursor.next())
      #expect(row[0] == stored?.databaseValue ?? .null, sourceLocation: sourceLocation)
      #expect(try row.decode(Value.self, atIndex: 0) == value, sourceLocation: sourceLocation)
      #expect(try row.copy().decode(forColumn: "v") == value, sourceLocation: sourceLocation)
      #expect(
        try Value.fetchSet(db, sql: "SELECT ?", arguments: [value]) == [value],
        sourceLocation: sourceLocation
      )
    }
  }

  func refuse<Value: DatabaseValueConvertible>(_ type: Value.Type, _ expressions: String...) throws
  {
    try withDatabase { db throws in
      for expression in expressions {
        #expect(throws: RowDecodingError.self, "\(expression)") {
          try Value.fetchAll(db, sql: "SELECT \(expression)")
        }
      }
    }
  }

  @Test func `VAL-13: a type with a raw value is stored as that`() throws {
    try roundTrip(Color.white, 1)
    try roundTrip(Grape.syrah, "syrah")
    try roundTrip(Tag(rawValue: "new"), "new")
    try roundTrip(Color?.none, nil)
    try refuse(Color.self, "2", "'1'", "NULL", "'white'", "1.5")
    try refuse(Grape.self, "'cabernet'", "NULL", "0", "'\"syrah\"'")
  }

  @Test func `A-037: a Codable type is stored as JSON`() throws {
    let address = Address(street: "Rue \"A\"", since: Date(timeIntervalSince1970: 1.5), codes: [1])
    try roundTrip(address, #"{"codes":[1],"since":1500,"street":"Rue \"A\""}"#)
    try roundTrip(Address(street: ""), #"{"codes":[],"street":""}"#)
    try roundTrip(Name("cup"), "cup")
    try roundTrip(Verbose(at: Date(timeIntervalSince1970: 0)), #"{"at":"1970-01-01T00:00:00Z"}"#)
    try refuse(Address.self, "NULL", "1", "''", "'{}'", "'{\"street\":1,\"codes\":[]}'", "x'FF'")
    try refuse(Name.self, "NULL", "1")
    let read = try withDatabase { db in
      try Address.fetchOne(db, sql: "SELECT CAST('{\"street\":\"x\",\"codes\":[]}' AS BLOB)")
    }
    #expect(read == Address(street: "x"))
  }

  @Test func `VAL-12: a URL`() throws {
    try roundTrip(URL(string: "https://a.b/c?d=e#f")!, "https://a.b/c?d=e#f")
    try refuse(URL.self, "NULL", "1", "''")
  }

  @Test func `A-036: a UUID is stored as bytes, and read from text too`() throws {
    let uuid = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!
    try roundTrip(uuid, Data(withUnsafeBytes(of: uuid.uuid) { Array($0) }))
    try withDatabase { db throws in
      let text = try UUID.fetchOne(db, sql: "SELECT lower(?)", arguments: [uuid.uuidString])
      #expect(text == uuid)
    }
    try refuse(UUID.self, "NULL", "1", "''", "x''", "zeroblob(15)", "zeroblob(17)", "'E621E1F8'")
  }

  @Test func `VAL-17: a type that converts to data is a blob`() throws {
    struct Picture: Hashable, DatabaseValueConvertible {
      var pixels: [UInt8]
      var databaseValue: DatabaseValue { Data(pixels).databaseValue }
      static func fromDatabaseValue(_ value: DatabaseValue) -> Picture? {
        Data.fromDatabaseValue(value).map { Picture(pixels: Array($0)) }
      }
    }
    try roundTrip(Picture(pixels: [1, 0, 255]), Data([1, 0, 255]))
    try refuse(Picture.self, "NULL", "1")
  }

  /// Reads and binds without a `DatabaseValue` in between.
  struct Cents: Hashable, DatabaseValueConvertible {
    var amount: Int64
    nonisolated(unsafe) static var fastReads = 0

    var databaseValue: DatabaseValue { amount.databaseValue }
    static func fromDatabaseValue(_ value: DatabaseValue) -> Cents? {
      Int64.fromDatabaseValue(value).map(Cents.init)
    }
    static func fromColumnValue(_ column: ColumnValue) -> Cents? {
      fastReads += 1
      return Int64.fromColumnValue(column).map(Cents.init)
    }
    func bind(to parameter: StatementParameter) -> Int32 { parameter.bind(amount) }
  }

  @Test func `VAL-14, A-038: a custom type may read columns itself`() throws {
    try roundTrip(Cents(amount: 5), 5)
    #expect(Cents.fastReads >= 1)
    try refuse(Cents.self, "NULL", "'5'")
  }

  @Test func `A-032: optional values, also of fetchOne`() throws {
    try withDatabase { db throws in
      let sql = "SELECT column1 FROM (VALUES (1), (NULL))"
      #expect(try Int?.fetchAll(db, sql: sql) == [1, nil])
      #expect(try Set(Color?.fetchCursor(db, sql: sql)) == [.white, nil])
      #expect(throws: RowDecodingError.self) { try Int.fetchAll(db, sql: sql) }
      let row: Int?? = try Int?.fetchOne(db, sql: "SELECT NULL")
      #expect(row == .some(nil))
      let noRow: Int?? = try Int?.fetchOne(db, sql: "SELECT 1 WHERE 0")
      #expect(noRow == .none)
      #expect(try Int.fetchOne(db, sql: "SELECT NULL") == nil)
    }
  }
}
