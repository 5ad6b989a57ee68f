import Foundation
import Storage
import Testing

@testable import StorageTestSupport

/// The strategies of a `Decodable` record apply to live rows, copies and adapted rows.
@Suite struct FetchableRecordStrategiesTests {
  /// Fetches a record in every way, and expects equal records.
  func fetch<Record: FetchableRecord & Decodable & Equatable>(
    _ type: Record.Type,
    _ columns: String,
    _ arguments: StatementArguments = []
  ) throws -> Record {
    try withDatabase { db throws in
      let sql = "SELECT \(columns)"
      let record = try #require(try Record.fetchOne(db, sql: sql, arguments: arguments))
      let row = try #require(try Row.fetchOne(db, sql: sql, arguments: arguments))
      #expect(try Record(row: row) == record)
      #expect(try FetchableRecordDecoder().decode(Record.self, from: row) == record)
      let twice = "SELECT 0 AS zero, * FROM (SELECT column1 FROM (VALUES (1), (2))) JOIN (\(sql))"
      let adapter = SuffixRowAdapter(fromIndex: 2)
      #expect(
        try Record.fetchAll(db, sql: twice, arguments: arguments, adapter: adapter)
          == [record, record]
      )
      return record
    }
  }

  struct Player: Decodable, Equatable, FetchableRecord {
    var firstName: String
    var bestScore: Int?
    var _private: Int?
    static let databaseColumnDecodingStrategy = DatabaseColumnDecodingStrategy.convertFromSnakeCase
  }

  struct Shouting: Decodable, Equatable, FetchableRecord {
    struct Key: CodingKey {
      let stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }
    var name: String
    var size: Int
    static let databaseColumnDecodingStrategy = DatabaseColumnDecodingStrategy.custom { column in
      Key(stringValue: String(column.dropFirst(2)))
    }
  }

  @Test func `A-050: columns are converted from snake case, or by a function`() throws {
    let player = try fetch(Player.self, "5 AS best_score, 'Ann' AS first_name, 1 AS _private")
    #expect(player == Player(firstName: "Ann", bestScore: 5, _private: 1))
    #expect(try fetch(Player.self, "'Ann' AS FIRST_NAME").firstName == "Ann")
    #expect(
      try fetch(Shouting.self, "'cup' AS t_name, 3 AS t_size") == Shouting(name: "cup", size: 3)
    )
    try withDatabase { db throws in
      let sql = "SELECT 'Ann' AS name, 1 AS best_score"
      expectError("no column firstName: the row has name, best_score - in rows of \"\(sql)\"") {
        _ = try Player.fetchAll(db, sql: sql)
      }
      #expect(throws: RowDecodingError.self) {
        try Player.fetchAll(db, sql: "SELECT 'A' AS first_name, 'B' AS firstName")
      }
    }
  }

  struct Dated<Strategy: DateStrategy>: Decodable, Equatable, FetchableRecord {
    var start: Date
    var end: Date?
    static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
      Strategy.strategy(column)
    }
  }

  protocol DateStrategy: Equatable {
    static func strategy(_ column: String) -> DatabaseDateDecodingStrategy
  }
  enum Reference: DateStrategy {
    static func strategy(_: String) -> DatabaseDateDecodingStrategy {
      .timeIntervalSinceReferenceDate
    }
  }
  enum Unix: DateStrategy {
    static func strategy(_: String) -> DatabaseDateDecodingStrategy { .timeIntervalSince1970 }
  }
  enum Milliseconds: DateStrategy {
    static func strategy(_: String) -> DatabaseDateDecodingStrategy { .millisecondsSince1970 }
  }
  enum ISO: DateStrategy {
    static func strategy(_: String) -> DatabaseDateDecodingStrategy { .iso8601 }
  }
  enum Formatted: DateStrategy {
    static func strategy(_: String) -> DatabaseDateDecodingStrategy {
      let formatter = DateFormatter()
      formatter.locale = Locale(identifier: "en_US_POSIX")
      formatter.timeZone = TimeZone(secondsFromGMT: 0)
      formatter.dateFormat = "dd/MM/yyyy"
      return .formatted(formatter)
    }
  }
  enum ByColumn: DateStrategy {
    static func strategy(_ column: String) -> DatabaseDateDecodingStrategy {
      guard column == "end" else { return .deferredToDate }
      return .custom { value in
        Int.fromDatabaseValue(value).map { Date(timeIntervalSince1970: Double($0) * 86_400) }
      }
    }
  }

  func check<Strategy: DateStrategy>(
    _ type: Strategy.Type,
    start: String,
    is seconds: Double,
    refuses wrong: String
  ) throws {
    let date = Date(timeIntervalSince1970: seconds)
    #expect(try fetch(Dated<Strategy>.self, "\(start) AS start") == Dated(start: date))
    #expect(
      try fetch(Dated<Strategy>.self, "NULL AS \"end\", \(start) AS start") == Dated(start: date)
    )
    try withDatabase { db throws in
      for value in [wrong, "NULL"] {
        let error = #expect(throws: RowDecodingError.self) {
          try Dated<Strategy>.fetchAll(db, sql: "SELECT \(value) AS start")
        }
        #expect(error?.column == "start")
        #expect(error?.expectedType == "Date")
      }
    }
  }

  @Test func `A-050: dates are read with the strategy of the type`() throws {
    try check(Reference.self, start: "1.5", is: 978_307_201.5, refuses: "'2020-01-01'")
    try check(Unix.self, start: "1", is: 1, refuses: "'2020-01-01'")
    try check(Milliseconds.self, start: "1500", is: 1.5, refuses: "'1500'")
    try check(ISO.self, start: "'1970-01-02T00:00:01Z'", is: 86_401, refuses: "86401")
    try check(Formatted.self, start: "'02/01/1970'", is: 86_400, refuses: "'1970-01-02'")
    let dated = try fetch(Dated<ByColumn>.self, "'1970-01-02' AS start, 2 AS \"end\"")
    #expect(dated.start == Date(timeIntervalSince1970: 86_400))
    #expect(dated.end == Date(timeIntervalSince1970: 172_800))
  }

  struct Picture: Decodable, Equatable, FetchableRecord {
    var data: Data
    var other: Data?
    static func databaseDataDecodingStrategy(for column: String) -> DatabaseDataDecodingStrategy {
      guard column == "data" else { return .deferredToData }
      return .custom { String.fromDatabaseValue($0).flatMap { Data(base64Encoded: $0) } }
    }
  }

  @Test func `A-050: data is read with the strategy of the type`() throws {
    let picture = try fetch(Picture.self, "'AQI=' AS data, x'03' AS other")
    #expect(picture == Picture(data: Data([1, 2]), other: Data([3])))
    try withDatabase { db throws in
      #expect(throws: RowDecodingError.self) { try Picture.fetchAll(db, sql: "SELECT '*' AS data") }
    }
  }

  struct Event: Decodable, Equatable, FetchableRecord {
    struct Detail: Decodable, Equatable {
      var at: Date
      var bytes: Data
    }
    var standard: Detail
    var own: Detail?
    static func databaseJSONDecoder(for column: String) -> JSONDecoder {
      let decoder = JSONDecoder()
      decoder.dateDecodingStrategy = column == "own" ? .iso8601 : .millisecondsSince1970
      return decoder
    }
  }

  @Test func `COD-13, A-050: nested values are read from JSON with the decoder of the type`() throws
  {
    let columns = """
      '{"at":1500,"bytes":"AQI="}' AS standard, '{"at":"1970-01-01T00:00:01Z","bytes":""}' AS own
      """
    let event = try fetch(Event.self, columns)
    #expect(
      event.standard == Event.Detail(at: Date(timeIntervalSince1970: 1.5), bytes: Data([1, 2]))
    )
    #expect(event.own == Event.Detail(at: Date(timeIntervalSince1970: 1), bytes: Data()))
  }

  struct Informed: Decodable, Equatable, FetchableRecord {
    struct Inner: Decodable, Equatable {
      var seen: String
      enum Key: CodingKey { case x }
      init(from decoder: any Decoder) throws {
        _ = try decoder.container(keyedBy: Key.self)
        seen = Informed.seen(by: decoder)
      }
    }
    var seen: String
    var inner: Inner?
    enum Key: CodingKey { case inner }

    init(from decoder: any Decoder) throws {
      seen = Informed.seen(by: decoder)
      inner = try decoder.container(keyedBy: Key.self).decodeIfPresent(Inner.self, forKey: .inner)
    }

    static let a = CodingUserInfoKey(rawValue: "a")!
    static let b = CodingUserInfoKey(rawValue: "b")!
    static var databaseDecodingUserInfo: [CodingUserInfoKey: Any] { [a: "type", b: "type"] }

    static func seen(by decoder: any Decoder) -> String {
      [a, b].map { "\(decoder.userInfo[$0] ?? "none")" }.joined(separator: " ")
    }
  }

  @Test func `COD-10: decoders of records and of JSON have the userInfo of the type and the call`()
    throws
  {
    let informed = try fetch(Informed.self, "'{}' AS inner")
    #expect(informed.seen == "type type")
    #expect(informed.inner?.seen == "type type")
    let row = Row(["inner": "{}"])
    let decoder = FetchableRecordDecoder(userInfo: [Informed.b: "call"])
    let informedByCall = try decoder.decode(Informed.self, from: row)
    #expect(informedByCall.seen == "type call")
    #expect(informedByCall.inner?.seen == "type call")
    #expect(try Informed(from: row.decoder(userInfo: [Informed.a: 1])).seen == "1 none")
  }

  @Test func `records with different strategies are decoded from the same live row`() throws {
    struct Plain: Decodable, Equatable, FetchableRecord { var first_name: String }
    try withDatabase { db in
      let cursor = try Row.fetchCursor(
        db,
        sql: "SELECT column1 AS first_name FROM (VALUES ('Ann'), ('Bo'))"
      )
      var names: [String] = []
      while let row = try cursor.next() {
        names.append(try Player(row: row).firstName)
        names.append(try Plain(row: row).first_name)
        names.append(try Player(row: row).firstName)
      }
      #expect(names == ["Ann", "Ann", "Ann", "Bo", "Bo", "Bo"])
    }
  }

  private struct OwnDecoder: Decodable, FetchableRecord {
    struct Inner: Decodable {
      var seen: String

      init(from decoder: any Decoder) throws {
        _ = try decoder.container(keyedBy: Informed.Key.self)
        seen = Informed.seen(by: decoder)
      }
    }
    var inner: Inner

    static var databaseDecodingUserInfo: [CodingUserInfoKey: Any] {
      [Informed.a: "type", Informed.b: "type"]
    }
    static func databaseJSONDecoder(for column: String) -> JSONDecoder {
      let decoder = JSONDecoder()
      decoder.userInfo[Informed.a] = "JSON"
      return decoder
    }
  }

  @Test func `a custom JSON decoder keeps its userInfo`() throws {
    try withDatabase { db in
      let record = try OwnDecoder.fetchOne(db, sql: "SELECT '{}' AS inner")
      #expect(record?.inner.seen == "JSON type")
    }
    #expect(try OwnDecoder(row: Row(["inner": "{}"])).inner.seen == "JSON type")
  }
}
