import Foundation
import Storage
import Testing

@testable import StorageTestSupport

/// Every value is read in three ways, which must agree: from a live row, from a copy of the row,
/// and from a `DatabaseValue`.
@Suite struct DatabaseValueConvertibleTests {
  struct Celsius: DatabaseValueConvertible, Hashable {
    var degrees: Double

    var databaseValue: DatabaseValue { degrees.databaseValue }

    static func fromDatabaseValue(_ value: DatabaseValue) -> Celsius? {
      Double.fromDatabaseValue(value).map(Celsius.init)
    }
  }

  /// Expects that an SQL expression is read as `expected` in all three ways. `nil` means that it
  /// does not fit `Value`.
  func expect<Value: DatabaseValueConvertible & Equatable>(
    _ expression: String,
    reads expected: Value?,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try withDatabase { db in
      let cursor = try Row.fetchCursor(db, sql: "SELECT \(expression)")
      let row = try #require(try cursor.next())
      let copy = row.copy()
      #expect(try decoded(row) == expected, "live", sourceLocation: sourceLocation)
      #expect(try decoded(copy) == expected, "copy", sourceLocation: sourceLocation)
      let value = Value.fromDatabaseValue(copy.databaseValue(at: 0))
      #expect(value == expected, "value", sourceLocation: sourceLocation)
    }
  }

  private func decoded<Value: DatabaseValueConvertible>(_ row: Row) throws -> Value? {
    do {
      return try row.decode(Value.self, atIndex: 0)
    } catch is RowDecodingError {
      return nil
    }
  }

  // MARK: Numbers

  @Test(
    arguments: [
      ("12", 12), ("-9223372036854775808", .min), ("9223372036854775807", .max),
      ("2.0", 2), ("-0.0", 0), ("9007199254740993", 9_007_199_254_740_993),
      ("1.5", nil), ("9.3e18", nil), ("-9.3e18", nil), ("9e999", nil),
      ("'12'", nil), ("''", nil), ("'abc'", nil), ("x'3132'", nil), ("NULL", nil),
    ] as [(String, Int64?)]
  )
  func `an integer is read only from integers and from reals that are integers`(
    expression: String,
    expected: Int64?
  ) throws {
    try expect(expression, reads: expected)
    try expect(expression, reads: expected.map(Int.init))
  }

  @Test(
    arguments: [
      ("1.5", 1.5), ("3", 3), ("-9e999", -.infinity), ("1e-300", 1e-300),
      ("9223372036854775807", 0x1p63),
      ("'1.5'", nil), ("'abc'", nil), ("x'31'", nil), ("NULL", nil),
    ] as [(String, Double?)]
  )
  func `a double is read only from numbers`(expression: String, expected: Double?) throws {
    try expect(expression, reads: expected)
  }

  @Test(
    arguments: [
      ("0", false), ("1", true), ("-7", true), ("0.0", false), ("0.1", true),
      ("'1'", nil), ("'true'", nil), ("x'01'", nil), ("NULL", nil),
    ] as [(String, Bool?)]
  )
  func `VAL-03: a bool is read only from numbers`(expression: String, expected: Bool?) throws {
    try expect(expression, reads: expected)
  }

  // MARK: Dates

  @Test(
    arguments: [
      ("'1970-01-02'", 86_400), ("'1970-01-01T00:00:01.5Z'", 1.5), ("12", 12), ("-1.25", -1.25),
      ("'tomorrow'", nil), ("''", nil), ("x'00'", nil), ("NULL", nil),
      ("'1970-01-02' || char(0)", nil),
    ] as [(String, Double?)]
  )
  func `a date is read from date texts and from seconds since 1970`(
    expression: String,
    seconds: Double?
  ) throws {
    try expect(expression, reads: seconds.map(Date.init(timeIntervalSince1970:)))
  }

  @Test(arguments: [0, 1.5, -1.001, 1_700_000_000.123, 2e11, -6e10])
  func `VAL-09: a date is stored and read with millisecond precision`(seconds: Double) throws {
    let date = Date(timeIntervalSince1970: seconds)
    let read = try withDatabase { db in try Date.fetchOne(db, sql: "SELECT ?", arguments: [date]) }
    #expect(abs(try #require(read).timeIntervalSince1970 - seconds) < 0.0005)
  }

  // MARK: Optionals and custom types

  @Test func `VAL-07: an optional is nil for NULL, but not for a value that does not fit`() throws {
    try expect("NULL", reads: Int??.some(nil))
    try expect("NULL", reads: String??.some(nil))
    try expect("NULL", reads: Data??.some(nil))
    try expect("NULL", reads: Date??.some(nil))
    try expect("NULL", reads: Celsius??.some(nil))
    try expect("1", reads: Int??.some(.some(1)))
    try expect("'x'", reads: Int??.none)
    try expect("CAST(x'FF' AS TEXT)", reads: String??.none)
  }

  @Test func `VAL-16, VAL-21: a custom type converts through a storage class`() throws {
    try expect("36.6", reads: Celsius(degrees: 36.6))
    try expect("36", reads: Celsius(degrees: 36))
    try expect("'hot'", reads: Celsius?.none)
    try expect("NULL", reads: Celsius?.none)
    let type = try withDatabase { db in
      try String.fetchOne(db, sql: "SELECT typeof(?)", arguments: [Celsius(degrees: 1)])
    }
    #expect(type == "real")
  }

  @Test func `VAL-07, VAL-09: every value is read in the storage class in which it was bound`()
    throws
  {
    let values: [(any DatabaseValueConvertible)?] = [
      1, Int64.min, true, 1.5, 2.0, "x", "", Data([0, 1]), Data(), nil, Date(),
    ]
    let types = [
      "integer", "integer", "integer", "real", "real", "text", "text", "blob", "blob", "null",
      "text",
    ]
    try withDatabase { db in
      for (value, type) in zip(values, types) {
        let sql = "SELECT typeof(?1), ?1"
        let row = try #require(try Row.fetchOne(db, sql: sql, arguments: [value]))
        #expect(row[0] == type)
        #expect(row.databaseValue(at: 1) == value?.databaseValue ?? .null)
      }
    }
  }

  @Test func `SQLite stores a NaN as NULL`() throws {
    try withDatabase { db in
      let value = try Double?.fetchOne(db, sql: "SELECT ?", arguments: [Double.nan])
      #expect(value == .some(nil))
    }
  }

  // MARK: Types that read columns directly

  @Test func `VAL-17: a type that converts to data is stored as a blob`() throws {
    struct Picture: Hashable, DatabaseValueConvertible {
      var pixels: [UInt8]
      var databaseValue: DatabaseValue { Data(pixels).databaseValue }
      static func fromDatabaseValue(_ value: DatabaseValue) -> Picture? {
        Data.fromDatabaseValue(value).map { Picture(pixels: Array($0)) }
      }
    }
    try expectRoundTrip(Picture(pixels: [1, 0, 255]), Data([1, 0, 255]))
    try expectRefusal(Picture.self, "NULL", "1")
  }

  /// Reads columns and binds parameters without a `DatabaseValue`.
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

  @Test func `VAL-14, A-038: a custom type can read columns directly`() throws {
    try expectRoundTrip(Cents(amount: 5), 5)
    #expect(Cents.fastReads >= 1)
    try expectRefusal(Cents.self, "NULL", "'5'")
  }
}
