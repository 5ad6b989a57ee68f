import Foundation
import Storage
import Testing

@testable import StorageTestSupport

@Suite struct DatabaseDateComponentsTests {
  typealias Format = DatabaseDateComponents.Format

  static let components = DateComponents(
    year: 2001,
    month: 2,
    day: 3,
    hour: 4,
    minute: 5,
    second: 6,
    nanosecond: 789_000_000
  )

  @Test(
    arguments: [
      (.YMD, "2001-02-03"), (.YMD_HM, "2001-02-03 04:05"), (.YMD_HMS, "2001-02-03 04:05:06"),
      (.YMD_HMSS, "2001-02-03 04:05:06.789"), (.HM, "04:05"), (.HMS, "04:05:06"),
      (.HMSS, "04:05:06.789"),
    ] as [(Format, String)]
  )
  func `A-036: date components are stored in one format and read in all`(
    format: Format,
    text: String
  ) throws {
    let written = DatabaseDateComponents(Self.components, format: format)
    #expect(written.databaseValue == text.databaseValue)
    let read = try withDatabase { db in
      try DatabaseDateComponents.fetchOne(db, sql: "SELECT ?", arguments: [written])
    }
    #expect(read?.format == format)
    #expect(read?.databaseValue == text.databaseValue)
    let parts = try #require(read?.dateComponents)
    #expect(parts.year == (text.contains("-") ? 2001 : nil))
    #expect(parts.minute == (text.contains(":") ? 5 : nil))
    #expect(parts.timeZone == nil)
    let json = try JSONEncoder().encode([written])
    #expect(json == Data("[\"\(text)\"]".utf8))
    #expect(try JSONDecoder().decode([DatabaseDateComponents].self, from: json) == [read])
  }

  @Test func `missing components are stored as the smallest value, and a time zone is read`() throws
  {
    let empty = DatabaseDateComponents(DateComponents(), format: .YMD_HMSS)
    #expect(empty.databaseValue == "0000-01-01 00:00:00.000".databaseValue)
    let zoned = DatabaseDateComponents.fromDatabaseValue("12:30 -05:30".databaseValue)
    #expect(zoned?.dateComponents.timeZone?.secondsFromGMT() == -19_800)
    #expect(zoned?.format == .HM)
  }

  @Test(arguments: ["9999999994", "9999999995", "99999999999999999999", "999499999"])
  func `a fraction that rounds up to a second is read and stored`(fraction: String) throws {
    let components = try #require(
      DatabaseDateComponents.fromDatabaseValue("23:59:30.\(fraction)".databaseValue)
    )
    #expect(components.dateComponents.second == 30)
    let stored = components.databaseValue
    #expect(stored == "23:59:30.999".databaseValue)
    #expect(DatabaseDateComponents.fromDatabaseValue(stored)?.databaseValue == stored)
  }

  @Test(arguments: ["", "2001", "2001-02-03x", "25:00", "now", "2459000.5"])
  func `a text that is neither a date nor a time is refused`(text: String) throws {
    #expect(DatabaseDateComponents.fromDatabaseValue(text.databaseValue) == nil)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(
        [DatabaseDateComponents].self,
        from: JSONEncoder().encode([text])
      )
    }
  }

  @Test func `numbers and NULL are refused`() {
    #expect(DatabaseDateComponents.fromDatabaseValue(12.databaseValue) == nil)
    #expect(DatabaseDateComponents.fromDatabaseValue(.null) == nil)
  }
}
