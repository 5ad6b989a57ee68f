import Foundation
import Storage
import Testing
import TestSupport

@testable import StorageTestSupport

/// Tests random texts that are close to dates against SQLite's `julianday`.
@Suite struct DateTextFuzzTests {
  /// Generates dates in all formats of SQLite's documentation, with a few characters changed.
  struct RandomText {
    var generator: SeededGenerator

    static let seeds = [
      "2020-02-29", "2020-02-29 12:34", "2020-02-29T12:34:56", "2020-02-29 12:34:56.789",
      "12:34", "12:34:56", "12:34:56.789", "2020-02-29 12:34Z", "2020-02-29 12:34:56 +05:30",
      "2020-02-29T12:34:56.7-14:59", "2459000.5", "0", "1721425.5", "5373484.4999", "1e3", "2e6",
      "9999-12-31 23:59:59.999", "0000-01-01", "0000-01-01 00:00+01:00", "9999-12-31 24:00",
      "9999-12-31 20:00-05:00", "2020-01-01T", "2020-01-01 \t T 12:00", " 2020-01-01", "now ",
    ]
    static let alphabet = Array("0123456789012345678901234567890123456789-:.TZz+ \t\n\u{B}eEnow/x")

    mutating func text() -> String {
      var text = Array(Self.seeds.randomElement(using: &generator)!)
      for _ in 0..<Int.random(in: 0...3, using: &generator) {
        let character = Self.alphabet.randomElement(using: &generator)!
        let index = Int.random(in: 0...text.count, using: &generator)
        switch Int.random(in: 0...2, using: &generator) {
        case 0: text.insert(character, at: index)
        case 1 where index < text.count: text.remove(at: index)
        case 2 where index < text.count: text[index] = character
        default: text.append(character)
        }
      }
      return String(text)
    }
  }

  /// Returns the dates that SQLite reads, in seconds since 1970. Dates before the year 0 are
  /// excluded: SQLite guarantees nothing for them, and this library refuses them.
  func expected(_ texts: [String], _ db: Database) throws -> [Double?] {
    let statement = try db.makeStatement(
      sql: """
        SELECT (day - 2440587.5) * 86400 FROM (SELECT julianday(?) AS day)
        WHERE day >= julianday('0000-01-01')
        """
    )
    return try texts.map { try Double.fetchOne(statement, arguments: [$0]) }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `VAL-22: a text is read as a date exactly when SQLite reads it as one`(seed: UInt64) throws {
    var random = RandomText(generator: SeededGenerator(seed: seed))
    let texts = (0..<4000).map { _ in random.text() }
      // SQLite reads these texts, but this library refuses them.
      .filter { $0.lowercased() != "now" && !$0.hasPrefix("-") }
    let dates = try withDatabase { db in try expected(texts, db) }
    #expect(dates.count { $0 != nil } > 500)
    #expect(dates.count { $0 == nil } > 500)
    for (text, date) in zip(texts, dates) {
      let ours = Date.fromDatabaseValue(text.databaseValue)?.timeIntervalSince1970
      // Newer versions of SQLite cut off the last half millisecond that dates can have. Older
      // versions round it to the year 10000, and refuse it.
      if ours == nil, let date, date > 253_402_300_799.998 { continue }
      // SQLite counts milliseconds. Newer versions cut off the rest, and older versions round it. A
      // Julian day in a Double is exact to some 50 microseconds.
      let agrees =
        ours.flatMap { ours in date.map { abs(ours - $0) < 0.0011 } } ?? (date == nil)
      #expect(
        agrees && (ours == nil) == (date == nil),
        "\(text.debugDescription): \(ours ?? .nan), SQLite: \(date ?? .nan)"
      )
    }
  }

  @Test(
    arguments: [
      "2020-01-01T", "2020-01-01   ", "2020-01-01 \t\r\n T 12:00", "2020-01-01TT12:00",
      "2459000.5", " 2459000.5 ", "+2459000.5", "2.459e6", "12:00\t+01:00\n",
    ]
  )
  func `a rare date format is read as SQLite reads it`(text: String) throws {
    let date = try withDatabase { db in try expected([text], db)[0] }
    let ours = Date.fromDatabaseValue(text.databaseValue)?.timeIntervalSince1970
    #expect(abs(try #require(ours) - (try #require(date))) < 0.0006)
  }

  @Test(
    arguments: [
      "now", "NOW", "-0044-03-15", "-4713-11-24 12:00", "10000-01-01", "9999-12-31 24:00",
      "9999-12-31 23:00-01:00", "-1", "5373484.5", "1700000000", "2020-01-01\0", "nan", "inf",
      "0x10",
      "2020", "0.0", "1721059.4", "0000-01-01 00:00+00:01", "9999-12-31 23:59:59.9996",
    ]
  )
  func `an ambiguous text, or a date outside the years 0 to 9999, is refused`(
    text: String
  ) throws {
    #expect(Date.fromDatabaseValue(text.databaseValue) == nil)
    try withDatabase { db in
      let row = try #require(try Row.fetchOne(db, sql: "SELECT ? AS end", arguments: [text]))
      #expect(throws: RowDecodingError.self) { try row.decode(Date.self, forColumn: "end") }
    }
  }
}
