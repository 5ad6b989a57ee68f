import Foundation
import TestSupport
import Testing

@testable import Storage
@testable import StorageTestSupport

/// Dates and date components that have no text: each way into the database refuses them.
@Suite struct UnstorableDatesTests {
  /// Dates, with their descriptions in messages.
  static let dates: [(date: Date, text: String)] = [
    (Date(timeIntervalSince1970: -62_167_219_200.001), "a date of about the year "),
    (Date(timeIntervalSince1970: 253_402_300_799.9996), "a date of about the year "),
    (Date(timeIntervalSince1970: 317_000_000_000), "a date of about the year 12015"),
    (Date(timeIntervalSince1970: -65_000_000_000), "a date of about the year -90"),
    (.distantFuture.addingTimeInterval(1e12), "a date of about the year "),
    (Date(timeIntervalSince1970: 1e300), "an infinite date"),
    (Date(timeIntervalSince1970: .infinity), "an infinite date"),
    (Date(timeIntervalSince1970: -.infinity), "an infinite date"),
    (Date(timeIntervalSince1970: .nan), "a date that is not a number"),
  ]

  struct Event: Codable, FetchableRecord, PersistableRecord {
    var id: Int
    var day: Date?

    enum Columns { static let day = Column("day") }
  }

  struct Day: Codable, DatabaseValueConvertible {
    var date: Date
    init(_ date: Date) { self.date = date }
    init(from decoder: any Decoder) throws {
      date = try decoder.singleValueContainer().decode(Date.self)
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(date)
    }
  }

  struct RawDay: RawRepresentable, DatabaseValueConvertible { var rawValue: Date }

  /// The ways into the column `day`.
  static let ways: [(name: String, write: @Sendable (Date, Database) throws -> Void)] = [
    ("insert", { try Event(id: 1, day: $0).insert($1) }),
    (
      "insert after another record",
      {
        try Event(id: 8, day: nil).insert($1)
        try $1.execute(sql: "DELETE FROM event WHERE id = 8")
        try Event(id: 1, day: $0).insert($1)
      }
    ),
    ("insert or replace", { try Event(id: 1, day: $0).insert($1, onConflict: .replace) }),
    ("upsert", { try Event(id: 1, day: $0).upsert($1) }),
    ("save", { try Event(id: 9, day: $0).save($1) }),
    ("update", { try Event(id: 9, day: $0).update($1) }),
    ("update of columns", { try Event(id: 9, day: $0).update($1, columns: ["day"]) }),
    ("insertAndFetch", { _ = try Event(id: 1, day: $0).insertAndFetch($1, as: Event.self) }),
    ("updateAll", { _ = try Event.updateAll($1, Event.Columns.day.set(to: $0)) }),
    ("filter", { _ = try Event.filter(Event.Columns.day > $0).fetchAll($1) }),
    (
      "arguments",
      { try $1.execute(sql: "INSERT INTO event (id, day) VALUES (1, ?)", arguments: [$0]) }
    ),
    (
      "rows", { try $1.execute(sql: "INSERT INTO event VALUES (1, NULL), (2, ?)", arguments: [$0]) }
    ),
    (
      "named argument",
      { try $1.execute(sql: "UPDATE event SET \"day\" = :d WHERE id = 9", arguments: ["d": $0]) }
    ),
    (
      "optional argument",
      {
        try $1.execute(
          sql: "UPDATE event SET [day]=?2 WHERE id IS ?1",
          arguments: [9, Optional($0)]
        )
      }
    ),
    (
      "unchecked arguments",
      {
        let statement = try $1.makeStatement(sql: "DELETE FROM event WHERE event.day <> ?")
        statement.setUncheckedArguments([$0])
        try statement.execute()
      }
    ),
    ("literal", { try $1.execute(literal: "UPDATE event SET day = \($0)") }),
    ("raw value", { try $1.execute(literal: "UPDATE event SET day = \(RawDay(rawValue: $0))") }),
    ("single value", { try $1.execute(literal: "UPDATE event SET day = \(Day($0))") }),
    (
      "database value",
      { try $1.execute(sql: "UPDATE event SET day = ?", arguments: [$0.databaseValue]) }
    ),
    (
      "values of unknown types",
      {
        try $1.execute(sql: "UPDATE event SET day = ?", arguments: StatementArguments([$0 as Any])!)
      }
    ),
  ]

  @Test(arguments: ways.map(\.name))
  func `a date that has no text is an error that names the column`(way: String) throws {
    let write = try #require(Self.ways.first { $0.name == way }?.write)
    for type in ["DATETIME", "TEXT", "", "REAL"] {
      for (date, text) in Self.dates {
        try withDatabase { db in
          try db.execute(sql: "CREATE TABLE event (id INTEGER PRIMARY KEY, day \(type))")
          try db.execute(sql: "INSERT INTO event VALUES (9, '2020-01-01')")
          let error = #expect(throws: DatabaseError.self) { try write(date, db) }
          #expect(error?.resultCode == .SQLITE_MISMATCH)
          let message = error?.message ?? ""
          #expect(message.hasPrefix("the column day cannot store \(text)"), "\(message)")
          #expect(
            try String.fetchAll(db, sql: "SELECT day FROM event WHERE day IS NOT NULL")
              == ["2020-01-01"]
          )
          // The statement works again with another date.
          try write(Date(timeIntervalSince1970: 0), db)
        }
      }
    }
  }

  @Test func `where no column takes the date, the message names the argument`() throws {
    try withDatabase { db in
      let date = Self.dates[2].date
      for (sql, place) in [
        ("SELECT ?", "the argument 1"), ("SELECT 1, abs(?2), ?1", "the argument 1"),
        ("SELECT :from", "the argument :from"),
      ] {
        let error = #expect(throws: DatabaseError.self) {
          _ = try Row.fetchAll(db, sql: sql, arguments: sql.contains("?2") ? [date, 1] : [date])
        }
        #expect(error?.message?.hasPrefix("\(place) cannot store") == true, "\(error as Any)")
      }
    }
  }

  @Test func `a default, a check and a function refuse such a date, too`() throws {
    let date = Self.dates[2].date
    try withDatabase { db in
      let error = #expect(throws: DatabaseError.self) {
        try db.create(table: "t") { t in t.column("day", .datetime).defaults(to: date) }
      }
      #expect(error?.message?.contains("the default of the column day cannot store") == true)
      #expect(throws: DatabaseError.self) {
        try db.create(table: "t") { t in t.column("day", .datetime).check { $0 < date } }
      }
      #expect(throws: DatabaseError.self) {
        try db.create(view: "v", asLiteral: "SELECT \(date) AS day")
      }
      db.add(function: DatabaseFunction("never", argumentCount: 0) { _ in date })
      let failure = #expect(throws: DatabaseError.self) {
        try Date.fetchOne(db, sql: "SELECT never()")
      }
      #expect(failure?.message?.contains("a function cannot store a date of about") == true)
    }
  }

  @Test func `the limits of the years 0 to 9999 are stored, and NaN is NULL as before`() throws {
    try withDatabase { db in
      for text in ["0000-01-01 00:00:00.000", "9999-12-31 23:59:59.999"] {
        let date = try #require(Date.fromDatabaseValue(text.databaseValue))
        #expect(try String.fetchOne(db, sql: "SELECT ?", arguments: [date]) == text)
      }
      #expect(
        try DatabaseValue.fetchOne(db, sql: "SELECT ?", arguments: [Double.nan])?.isNull != false
      )
    }
  }

  // MARK: Strategies

  struct Stamp<Strategy: StampStrategy>: Codable, FetchableRecord, PersistableRecord, TableRecord {
    static var databaseTableName: String { "stamp" }
    static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
      Strategy.encoding
    }
    static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
      Strategy.decoding
    }
    var day: Date
  }

  protocol StampStrategy {
    static var encoding: DatabaseDateEncodingStrategy { get }
    static var decoding: DatabaseDateDecodingStrategy { get }
  }

  enum Since1970: StampStrategy {
    static let encoding = DatabaseDateEncodingStrategy.timeIntervalSince1970
    static let decoding = DatabaseDateDecodingStrategy.timeIntervalSince1970
  }
  enum SinceReference: StampStrategy {
    static let encoding = DatabaseDateEncodingStrategy.timeIntervalSinceReferenceDate
    static let decoding = DatabaseDateDecodingStrategy.timeIntervalSinceReferenceDate
  }
  enum Seconds: StampStrategy {
    static let encoding = DatabaseDateEncodingStrategy.secondsSince1970
    static let decoding = DatabaseDateDecodingStrategy.timeIntervalSince1970
  }
  enum Milliseconds: StampStrategy {
    static let encoding = DatabaseDateEncodingStrategy.millisecondsSince1970
    static let decoding = DatabaseDateDecodingStrategy.millisecondsSince1970
  }
  enum ISO8601: StampStrategy {
    static let encoding = DatabaseDateEncodingStrategy.iso8601
    static let decoding = DatabaseDateDecodingStrategy.iso8601
  }
  enum Formatted: StampStrategy {
    static var formatter: DateFormatter {
      let formatter = DateFormatter()
      formatter.dateFormat = "yyyy-MM-dd HH:mm:ss"
      formatter.timeZone = TimeZone(secondsFromGMT: 0)
      formatter.locale = Locale(identifier: "en_US_POSIX")
      return formatter
    }
    static var encoding: DatabaseDateEncodingStrategy { .formatted(formatter) }
    static var decoding: DatabaseDateDecodingStrategy { .formatted(formatter) }
  }

  /// Inserts a date, and either gets it back, or an error that names the column.
  private func roundTrip<Strategy: StampStrategy>(
    _ date: Date,
    _ strategy: Strategy.Type,
    isStored: Bool
  ) throws {
    try withDatabase { db in
      try db.execute(sql: "CREATE TABLE stamp (day)")
      if isStored {
        try Stamp<Strategy>(day: date).insert(db)
        let read = try #require(try Stamp<Strategy>.fetchOne(db)).day
        let difference = abs(read.timeIntervalSince1970 - date.timeIntervalSince1970)
        #expect(read == date || difference <= 1, "\(strategy)")
      } else {
        let error = #expect(throws: DatabaseError.self, "\(strategy) \(date)") {
          try Stamp<Strategy>(day: date).insert(db)
        }
        #expect(error?.message?.hasPrefix("the column day cannot store") == true)
      }
    }
  }

  @Test func `numbers store each date that is one, texts those of the years 0 to 9999`() throws {
    for (date, _) in Self.dates {
      let seconds = date.timeIntervalSince1970
      try roundTrip(date, Since1970.self, isStored: !seconds.isNaN)
      try roundTrip(date, SinceReference.self, isStored: !seconds.isNaN)
      try roundTrip(date, Seconds.self, isStored: seconds.isFinite)
      try roundTrip(date, Milliseconds.self, isStored: seconds.isFinite)
      // This strategy rounds down to the second.
      let isLastSecond = seconds == 253_402_300_799.9996
      try roundTrip(date, ISO8601.self, isStored: isLastSecond)
      try roundTrip(date, Formatted.self, isStored: false)
    }
    // The year 0 is the year 1 before Christ for a formatter.
    try roundTrip(Date(timeIntervalSince1970: -62_150_000_000), Formatted.self, isStored: false)
    try roundTrip(Date(timeIntervalSince1970: -62_150_000_000), ISO8601.self, isStored: true)
    try roundTrip(Date(timeIntervalSince1970: 253_402_300_799), Formatted.self, isStored: true)
  }

  // MARK: Date components

  @Test(
    arguments: [
      (DateComponents(year: 10_000), .YMD), (DateComponents(year: -1), .YMD),
      (DateComponents(month: 13), .YMD_HM), (DateComponents(month: 0), .YMD),
      (DateComponents(day: 32), .YMD), (DateComponents(day: -3), .YMD_HMSS),
      (DateComponents(hour: 25), .HM), (DateComponents(minute: 60), .HM),
      (DateComponents(second: 60), .HMS), (DateComponents(second: -1), .HMSS),
      (DateComponents(nanosecond: -1), .HMSS), (DateComponents(nanosecond: 1_000_000_000), .HMSS),
    ] as [(DateComponents, DatabaseDateComponents.Format)]
  )
  func `components that form no date or time are refused`(
    components: DateComponents,
    format: DatabaseDateComponents.Format
  ) throws {
    struct Plan: Codable, PersistableRecord { var day: DatabaseDateComponents }
    let value = DatabaseDateComponents(components, format: format)
    try withDatabase { db in
      try db.execute(sql: "CREATE TABLE plan (day TEXT)")
      let error = #expect(throws: DatabaseError.self) { try Plan(day: value).insert(db) }
      #expect(error?.resultCode == .SQLITE_MISMATCH)
      #expect(error?.message?.hasPrefix("the column day cannot store date components") == true)
      #expect(throws: DatabaseError.self) {
        try db.execute(sql: "INSERT INTO plan VALUES (?)", arguments: [value])
      }
      #expect(throws: EncodingError.self) { try JSONEncoder().encode([value]) }
    }
  }

  @Test func `components outside of the format do not matter`() {
    let value = DatabaseDateComponents(DateComponents(year: 20_000, hour: 3), format: .HM)
    #expect(value.databaseValue == "03:00".databaseValue)
  }
}
