import Foundation
import Storage
import Testing

/// Texts that are nearly dates: SQLite's `julianday` decides which are, and of what moment.
@Suite struct DateTextFuzzTests {
  /// Dates in all forms of SQLite's documentation, with a few characters changed.
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

  /// SQLite's moment, in seconds since 1970. Before the year 0, SQLite promises nothing, and this
  /// library reads nothing.
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
  func `VAL-22: what SQLite takes for a date is one, what it does not is none`(seed: UInt64) throws
  {
    var random = RandomText(generator: SeededGenerator(seed: seed))
    let texts = (0..<4000).map { _ in random.text() }
      // What SQLite reads in its own way, and this library does not.
      .filter { $0.lowercased() != "now" && !$0.hasPrefix("-") }
    let moments = try withDatabase { db in try expected(texts, db) }
    #expect(moments.count { $0 != nil } > 500)
    #expect(moments.count { $0 == nil } > 500)
    for (text, moment) in zip(texts, moments) {
      let ours = Date.fromDatabaseValue(text.databaseValue)?.timeIntervalSince1970
      // SQLite counts milliseconds; a day as a Double is good to some 50 microseconds.
      let agrees =
        ours.flatMap { ours in moment.map { abs(ours - $0) < 0.0006 } } ?? (moment == nil)
      #expect(
        agrees && (ours == nil) == (moment == nil),
        "\(text.debugDescription): \(ours ?? .nan), SQLite: \(moment ?? .nan)"
      )
    }
  }

  @Test(
    arguments: [
      "2020-01-01T", "2020-01-01   ", "2020-01-01 \t\r\n T 12:00", "2020-01-01TT12:00",
      "2459000.5", " 2459000.5 ", "+2459000.5", "2.459e6", "12:00\t+01:00\n",
    ]
  )
  func `a rare form of SQLite's is read as SQLite reads it`(text: String) throws {
    let moment = try withDatabase { db in try expected([text], db)[0] }
    let ours = Date.fromDatabaseValue(text.databaseValue)?.timeIntervalSince1970
    #expect(abs(try #require(ours) - (try #require(moment))) < 0.0006)
  }

  @Test(
    arguments: [
      "now", "NOW", "-0044-03-15", "-4713-11-24 12:00", "10000-01-01", "9999-12-31 24:00",
      "9999-12-31 23:00-01:00", "-1", "5373484.5", "1700000000", "2020-01-01\0", "nan", "inf",
      "0x10",
      "2020", "0.0", "1721059.4", "0000-01-01 00:00+00:01", "9999-12-31 23:59:59.9996",
    ]
  )
  func `a text of no certain moment, or of one outside of the years 0 to 9999, is none`(
    text: String
  ) throws {
    #expect(Date.fromDatabaseValue(text.databaseValue) == nil)
    try withDatabase { db in
      let row = try #require(try Row.fetchOne(db, sql: "SELECT ? AS end", arguments: [text]))
      #expect(throws: RowDecodingError.self) { try row.decode(Date.self, forColumn: "end") }
    }
  }
}
