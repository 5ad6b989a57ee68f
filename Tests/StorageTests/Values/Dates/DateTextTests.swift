import Foundation
import Testing

@testable import Storage
@testable import StorageTestSupport

/// Tests dates against SQLite's own date functions.
@Suite struct DateTextTests {
  /// Generates random dates in all formats that SQLite's documentation lists.
  struct RandomText {
    var generator = SystemRandomNumberGenerator()

    mutating func number(_ range: ClosedRange<Int>, digits: Int = 2) -> String {
      let text = String(Int.random(in: range, using: &generator))
      return String(repeating: "0", count: digits - text.count) + text
    }

    mutating func date() -> String {
      "\(number(0...9998, digits: 4))-\(number(1...12))-\(number(1...31))"
    }

    mutating func time() -> String {
      let seconds = "\(number(0...23)):\(number(0...59)):\(number(0...59))"
      switch Int.random(in: 0...6, using: &generator) {
      case 0: return "\(number(0...24)):\(number(0...59))"
      case 1: return seconds
      case 2: return "\(seconds).\(number(0...9, digits: 1))"
      case 3: return "\(seconds).\(number(0...999_999_999, digits: 9))"
      default: return "\(seconds).\(number(0...999, digits: 3))"
      }
    }

    mutating func zone() -> String {
      switch Int.random(in: 0...5, using: &generator) {
      case 0: "Z"
      case 1: " z"
      case 2: "+\(number(0...14)):\(number(0...59))"
      case 3: " -\(number(0...14)):\(number(0...59)) "
      default: ""
      }
    }

    mutating func text() -> String {
      switch Int.random(in: 0...5, using: &generator) {
      case 0: date()
      case 1: time() + zone()
      case 2: "\(date())T\(time())\(zone())"
      default: "\(date()) \(time())\(zone())"
      }
    }
  }

  func parse(_ text: String) -> Date? { Date.fromDatabaseValue(text.databaseValue) }

  @Test func `each character of a text decides whether it is a date`() throws {
    try withDatabase { db in
      let statement = try db.makeStatement(sql: "SELECT (julianday(?) - 2440587.5) * 86400")
      let canonical = Array("2023-02-30 12:34:56.789".utf8)
      for position in canonical.indices {
        for byte in UInt8(1)..<128 {
          var bytes = canonical
          bytes[position] = byte
          let text = String(decoding: bytes, as: UTF8.self)
          let expected = try Double.fetchOne(statement, arguments: [text])
          let ours = parse(text)?.timeIntervalSince1970
          #expect(ours == nil ? expected == nil : expected.map { abs($0 - ours!) < 0.001 } == true)
        }
      }
    }
  }

  @Test func `a text in any of SQLite's formats is read as SQLite reads it`() throws {
    var random = RandomText()
    try withDatabase { db in
      for _ in 0..<4000 {
        let text = random.text()
        let sql = "SELECT (julianday(?) - 2440587.5) * 86400"
        let expected = try #require(try Double.fetchOne(db, sql: sql, arguments: [text]), "\(text)")
        let ours = try #require(parse(text), "\(text)").timeIntervalSince1970
        // SQLite counts milliseconds. Newer versions cut off the rest, and older versions round it.
        // A Julian day in a Double is exact to some 50 microseconds.
        #expect(abs(ours - expected) < 0.0011, "\(text)")
      }
    }
  }

  @Test func `a date is written as SQLite writes it`() throws {
    try withDatabase { db in
      for _ in 0..<4000 {
        let milliseconds = Int64.random(in: -62_167_219_200_000...253_402_300_799_999)
        // SQLite 3.40 calls 1 March 300 the 29 February, which that year does not have.
        if (-52_695_014_400_000 ..< -52_694_928_000_000).contains(milliseconds) { continue }
        let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
        let text = try #require(DateText.format(date))
        let sql = "SELECT strftime('%Y-%m-%d %H:%M:%f', ?, 'unixepoch')"
        let arguments: StatementArguments = [Double(milliseconds) / 1000]
        #expect(try String.fetchOne(db, sql: sql, arguments: arguments) == text)
        let read = try #require(parse(text)).timeIntervalSince1970
        #expect((read * 1000).rounded() == Double(milliseconds))
      }
    }
  }

  @Test(
    arguments: [
      (0, "1970-01-01 00:00:00.000"), (-0.001, "1969-12-31 23:59:59.999"),
      (951_782_400, "2000-02-29 00:00:00.000"), (-2_203_891_200, "1900-03-01 00:00:00.000"),
      (-52_694_945_551.466, "0300-03-01 19:07:28.534"),
      (1_700_000_000.1235, "2023-11-14 22:13:20.124"), (59.9996, "1970-01-01 00:01:00.000"),
      (-62_167_219_200, "0000-01-01 00:00:00.000"),
      (253_402_300_799.999, "9999-12-31 23:59:59.999"),
    ] as [(Double, String)]
  )
  func `a date is written in UTC, rounded to the millisecond`(seconds: Double, text: String) {
    #expect(DateText.format(Date(timeIntervalSince1970: seconds)) == text)
  }

  @Test(
    arguments: [-62_167_219_200.001, 253_402_300_800, 1e300, -.infinity, .infinity, .nan]
      as [Double]
  )
  func `a date outside the years 0 to 9999 has no text`(seconds: Double) {
    let date = Date(timeIntervalSince1970: seconds)
    #expect(DateText.format(date) == nil)
    #expect(date.databaseValue.unstorable != nil)
  }

  @Test(
    arguments: [
      "", " ", "2020", "2020-01", "2020-1-01", "20-01-01", "2020-00-01", "2020-13-01", "2020-01-00",
      "2020-01-32", "2020-01-01x", "2020/01/01", "2020-01-01 12", "2020-01-01 12:",
      "2020-01-01 1:00",
      "2020-01-01 25:00", "2020-01-01 12:60", "2020-01-01 12:00:60", "2020-01-01 12:00:00.",
      "2020-01-01 12:00:00.x", "2020-01-01 12:00+1:00", "2020-01-01 12:00+15:00",
      "2020-01-01 12:00+01:60", "2020-01-01 12:00Z+01:00", "2020-01-01 12:00 UTC", "2020-01-01Z",
      " 2020-01-01", "12", "12:0", "1:00", "+2020-01-01", "２０２０-01-01", "tomorrow", "1.5", "12:00é",
      "99999-01-01", "2020-01-01 12:00:00,5", "2020-13-01 12:00:00.000", "2020-00-01 12:00:00.000",
      "2020-01-32 12:00:00.000", "2020-01-00 12:00:00.000", "2020-01-01 25:00:00.000",
      "2020-01-01 12:60:00.000", "2020-01-01 12:00:60.000", "2020/01/01 12:00:00.000",
      "2020-01-01x12:00:00.000", "2020-01-01 12.00.00.000", "2020-01-01 12:00:00:000",
      "202/-01-01 12:00:00.000", "2020-01-01 1:200:00.000", "2020-01-01 12:00:00.0é",
    ]
  )
  func `a text that is not a date is refused`(text: String) {
    #expect(parse(text) == nil)
  }

  @Test(arguments: [0, 1, 499, 500, 999])
  func `the fast path for full texts agrees with the general parser`(milliseconds: Int) throws {
    let fraction = String(String(1000 + milliseconds).dropFirst())
    for moment in ["2024-02-29 23:59:59", "1969-12-31 00:00:00", "0000-01-01 12:34:56"] {
      let full = try #require(parse("\(moment).\(fraction)"))
      #expect(full == parse("\(moment).\(fraction)0"))
      #expect(full == parse("\(moment.replacing(" ", with: "T")).\(fraction)Z"))
    }
  }

  @Test func `a day after the end of its month is in the next month, as in SQLite`() {
    #expect(parse("2021-02-31") == parse("2021-03-03"))
    #expect(parse("2020-02-30") == parse("2020-03-01"))
    #expect(parse("2020-01-01 24:00") == parse("2020-01-02"))
  }
}
