import Foundation
import Storage
import Testing

@testable import StorageTestSupport

/// The strategies of an `Encodable` record apply to the first record of a type, whose columns build
/// the statement, and to the following records, which are bound to it.
@Suite struct EncodableRecordStrategiesTests {
  /// Inserts a record twice, expects equal rows, and returns the description of a row.
  func insert(_ record: some PersistableRecord, _ columns: String) throws -> String {
    try withDatabase { db in
      try db.execute(sql: "CREATE TABLE record (\(columns))")
      try record.insert(db)
      try record.insert(db)
      let rows = try Row.fetchAll(db, sql: "SELECT * FROM record")
      #expect(rows.count == 2)
      #expect(rows[0] == rows[1])
      return rows[0].description
    }
  }

  struct Player: Encodable, PersistableRecord {
    var firstName: String
    var bestScore: Int?
    static let databaseTableName = "record"
    static let databaseColumnEncodingStrategy = DatabaseColumnEncodingStrategy.convertToSnakeCase
  }

  struct Shouting: Encodable, PersistableRecord {
    var name: String
    static let databaseTableName = "record"
    static let databaseColumnEncodingStrategy = DatabaseColumnEncodingStrategy.custom {
      "t_" + $0.stringValue
    }
  }

  @Test func `A-050: keys are converted to snake case, or by a function`() throws {
    let player = Player(firstName: "Ann", bestScore: nil)
    #expect(
      try insert(player, "first_name, best_score") == "[first_name:'Ann' best_score:NULL]"
    )
    #expect(try insert(Shouting(name: "cup"), "t_name") == "[t_name:'cup']")
  }

  @Test func `keys that end with capitals are read from columns in snake case`() throws {
    struct Reading: Codable, Equatable, FetchableRecord, PersistableRecord {
      var sensorID: Int
      var baseURL: String?
      static let databaseTableName = "record"
      static let databaseColumnEncodingStrategy = DatabaseColumnEncodingStrategy.convertToSnakeCase
      static let databaseColumnDecodingStrategy = DatabaseColumnDecodingStrategy
        .convertFromSnakeCase
    }
    let reading = Reading(sensorID: 7, baseURL: "x")
    try withDatabase { db in
      try db.execute(sql: "CREATE TABLE record (sensor_id INTEGER PRIMARY KEY, base_url TEXT)")
      try reading.insert(db)
      #expect(try Reading.fetchAll(db) == [reading])
      let found = Reading.filter { $0.sensorID == 7 && $0.baseURL == "x" }.order(\.sensorID)
      #expect(try found.fetchOne(db) == reading)
    }
  }

  @Test func `updates use converted column names`() throws {
    struct Player: Codable, Equatable, FetchableRecord, PersistableRecord {
      var playerID: Int
      var firstName: String
      static let databaseTableName = "record"
      static let databaseColumnEncodingStrategy = DatabaseColumnEncodingStrategy.convertToSnakeCase
      static let databaseColumnDecodingStrategy = DatabaseColumnDecodingStrategy.custom { column in
        CodingKeys(stringValue: column == "player_id" ? "playerID" : "firstName")!
      }
    }
    try withDatabase { db in
      try db.execute(sql: "CREATE TABLE record (player_id INTEGER PRIMARY KEY, first_name)")
      var player = Player(playerID: 1, firstName: "Ann")
      try player.insert(db)
      player.firstName = "Bo"
      try player.update(db)
      #expect(try Player.fetchAll(db, sql: "SELECT * FROM record") == [player])
    }
  }

  struct Dated: Encodable, PersistableRecord {
    var a: Date, b: Date, c: Date, d: Date, e: Date, f: Date?, g: Date, h: Date?
    static let databaseTableName = "record"

    init(_ date: Date) {
      (a, b, c, d, e, f, g, h) = (date, date, date, date, date, date, date, nil)
    }

    static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
      switch column {
      case "b": .timeIntervalSince1970
      case "c": .secondsSince1970
      case "d": .millisecondsSince1970
      case "e": .iso8601
      case "f": .timeIntervalSinceReferenceDate
      case "g": .custom { $0.timeIntervalSince1970 < 0 ? nil : "late" }
      default: .deferredToDate
      }
    }
  }

  @Test(
    arguments: [
      (
        1.25,
        "a:'1970-01-01 00:00:01.250' b:1.25 c:1 d:1250 e:'1970-01-01T00:00:01Z' f:-978307198.75 g:'late'"
      ),
      (
        -0.75,
        "a:'1969-12-31 23:59:59.250' b:-0.75 c:-1 d:-750 e:'1969-12-31T23:59:59Z' f:-978307200.75 g:NULL"
      ),
    ]
  )
  func `A-050: dates are stored with the strategy of the type`(seconds: Double, stored: String)
    throws
  {
    let record = Dated(Date(timeIntervalSince1970: seconds))
    #expect(try insert(record, "a, b, c, d, e, f, g, h") == "[\(stored) h:NULL]")
  }

  @Test func `A-050: dates are stored with a formatter`() throws {
    struct Dated: Encodable, PersistableRecord {
      var day: Date
      static let databaseTableName = "record"
      static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "dd/MM/yyyy"
        return .formatted(formatter)
      }
    }
    let record = Dated(day: Date(timeIntervalSince1970: 86_400))
    #expect(try insert(record, "day") == "[day:'02/01/1970']")
  }

  struct Binary: Encodable, PersistableRecord {
    var plain: Data
    var text: Data
    var own: Data
    var uuid: UUID
    var upper: UUID
    var lower: UUID?
    static let databaseTableName = "record"

    static func databaseDataEncodingStrategy(for column: String) -> DatabaseDataEncodingStrategy {
      switch column {
      case "text": .text
      case "own": .custom { $0.count }
      default: .deferredToData
      }
    }
    static func databaseUUIDEncodingStrategy(for column: String) -> DatabaseUUIDEncodingStrategy {
      switch column {
      case "upper": .uppercaseString
      case "lower": .lowercaseString
      default: .deferredToUUID
      }
    }
  }

  @Test func `A-050: data and UUIDs are stored with the strategy of the type`() throws {
    let uuid = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!
    var record = Binary(
      plain: Data("a".utf8),
      text: Data("ö".utf8),
      own: Data([1, 2]),
      uuid: uuid,
      upper: uuid,
      lower: uuid
    )
    let columns = "plain, text, own, uuid, upper, lower"
    #expect(
      try insert(record, columns) == """
        [plain:x'61' text:'ö' own:2 uuid:x'E621E1F8C36C495A93FC0C247A3E6E5F' \
        upper:'E621E1F8-C36C-495A-93FC-0C247A3E6E5F' lower:'e621e1f8-c36c-495a-93fc-0c247a3e6e5f']
        """
    )
    record.text = Data([0xFF])
    #expect(throws: EncodingError.self) { try insert(record, columns) }
  }

  struct Event: Encodable, PersistableRecord {
    struct Detail: Encodable { var at: Date, b = 1, a = Data([1, 2]) }
    var standard: Detail
    var own: Detail
    static let databaseTableName = "record"
    static func databaseJSONEncoder(for column: String) -> JSONEncoder {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      encoder.dateEncodingStrategy = column == "own" ? .iso8601 : .secondsSince1970
      return encoder
    }
  }

  @Test func `COD-13, A-050: nested values are stored as JSON with the encoder of the type`() throws
  {
    struct Plain: Encodable, PersistableRecord {
      var detail: Event.Detail
      static let databaseTableName = "record"
    }
    let detail = Event.Detail(at: Date(timeIntervalSince1970: 1.5))
    #expect(
      try insert(Plain(detail: detail), "detail") == #"[detail:'{"a":"AQI=","at":1500,"b":1}']"#
    )
    #expect(
      try insert(Event(standard: detail, own: detail), "standard, own") == """
        [standard:'{"a":"AQI=","at":1.5,"b":1}' \
        own:'{"a":"AQI=","at":"1970-01-01T00:00:01Z","b":1}']
        """
    )
  }

  struct Informed: Encodable, PersistableRecord {
    struct Inner: Encodable {
      enum Key: CodingKey { case seen }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode("\(encoder.userInfo[Informed.key] ?? "none")", forKey: .seen)
      }
    }
    struct Single: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode("\(encoder.userInfo[Informed.key] ?? "none")")
      }
    }
    enum Key: CodingKey { case seen, inner, single }
    static let key = CodingUserInfoKey(rawValue: "k")!
    static let databaseTableName = "record"
    static var databaseEncodingUserInfo: [CodingUserInfoKey: Any] { [key: "type"] }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode("\(encoder.userInfo[Self.key] ?? "none")", forKey: .seen)
      try container.encode(Inner(), forKey: .inner)
      try container.encode(Single(), forKey: .single)
    }
  }

  @Test func `COD-02: encoders of records and of columns have the userInfo of the type`() throws {
    #expect(
      try insert(Informed(), "seen, inner, single")
        == #"[seen:'type' inner:'{"seen":"type"}' single:'type']"#
    )
  }

  @Test func `COD-02, COD-06, COD-07: the userInfo of a call is merged with that of the type`()
    throws
  {
    let other = CodingUserInfoKey(rawValue: "other")!
    struct Seeing: Encodable, PersistableRecord {
      static let databaseTableName = "record"
      static let typeKey = CodingUserInfoKey(rawValue: "k")!
      static let callKey = CodingUserInfoKey(rawValue: "other")!
      static var databaseEncodingUserInfo: [CodingUserInfoKey: Any] { [typeKey: "type"] }
      enum Key: CodingKey { case id, seen }

      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(1, forKey: .id)
        let values = [Self.typeKey, Self.callKey].map { "\(encoder.userInfo[$0] ?? "none")" }
        try container.encode(values.joined(separator: " "), forKey: .seen)
      }
    }
    try withDatabase { db throws in
      try db.execute(sql: "CREATE TABLE record (id INTEGER PRIMARY KEY, seen, note)")
      func seen() throws -> [String] {
        try String.fetchAll(db, sql: "SELECT seen || ' ' || ifnull(note, '') FROM record")
      }
      let note = [Column("note").set(to: "n")]
      try Seeing().insert(db, and: note, userInfo: [other: "insert"])
      #expect(try seen() == ["type insert n"])
      try Seeing().update(db, and: [], userInfo: [other: "update"])
      #expect(try seen() == ["type update n"])
      try Seeing.all().updateAll(
        db,
        from: Seeing(),
        userInfo: [other: "all", Seeing.typeKey: "call"]
      )
      #expect(try seen() == ["call all n"])
      try expectSQL(db, #"UPDATE "record" SET "seen" = 'type none', "note" = NULL WHERE "id" = 1"#)
      {
        try Seeing().update(db, and: [Column("note").set(to: nil)])
      }
      try Seeing().delete(db)
      try Seeing().insert(db)
      #expect(try seen() == ["type none "])
    }
  }
}
