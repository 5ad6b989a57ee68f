import Foundation
import Storage
import Testing

/// Every conversion is read in three ways, which must agree: from the row that a cursor stands on,
/// from a copy of the row, and from a `DatabaseValue`.
@Suite struct DatabaseValueConvertibleTests {
  struct Celsius: DatabaseValueConvertible, Hashable {
    var degrees: Double

    var databaseValue: DatabaseValue { degrees.databaseValue }

    static func fromDatabaseValue(_ value: DatabaseValue) -> Celsius? {
      Double.fromDatabaseValue(value).map(Celsius.init)
    }
  }

  /// Expects all readings of an SQL expression to be `expected`; `nil` when it fits no `Value`.
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
  func `an integer is read from integers only, and from reals that are integers`(
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
  func `a double is read from numbers only`(expression: String, expected: Double?) throws {
    try expect(expression, reads: expected)
  }

  @Test(
    arguments: [
      ("0", false), ("1", true), ("-7", true), ("0.0", false), ("0.1", true),
      ("'1'", nil), ("'true'", nil), ("x'01'", nil), ("NULL", nil),
    ] as [(String, Bool?)]
  )
  func `VAL-03: a bool is read from numbers only`(expression: String, expected: Bool?) throws {
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
  func `a date is read from date texts, and from seconds since 1970`(
    expression: String,
    seconds: Double?
  ) throws {
    try expect(expression, reads: seconds.map(Date.init(timeIntervalSince1970:)))
  }

  @Test(arguments: [0, 1.5, -1.001, 1_700_000_000.123, 1e12, -1e12])
  func `VAL-09: a date comes back to the millisecond`(seconds: Double) throws {
    let date = Date(timeIntervalSince1970: seconds)
    let read = try withDatabase { db in try Date.fetchOne(db, sql: "SELECT ?", arguments: [date]) }
    #expect(abs(try #require(read).timeIntervalSince1970 - seconds) < 0.0005)
  }

  // MARK: Optionals, custom types

  @Test func `VAL-07: an optional is nil for NULL, and never for a value that does not fit`() throws
  {
    try expect("NULL", reads: Int??.some(nil))
    try expect("NULL", reads: String??.some(nil))
    try expect("NULL", reads: Data??.some(nil))
    try expect("NULL", reads: Date??.some(nil))
    try expect("NULL", reads: Celsius??.some(nil))
    try expect("1", reads: Int??.some(.some(1)))
    try expect("'x'", reads: Int??.none)
    try expect("CAST(x'FF' AS TEXT)", reads: String??.none)
  }

  @Test func `VAL-16, VAL-21: a custom type goes through a storage class`() throws {
    try expect("36.6", reads: Celsius(degrees: 36.6))
    try expect("36", reads: Celsius(degrees: 36))
    try expect("'hot'", reads: Celsius?.none)
    try expect("NULL", reads: Celsius?.none)
    let type = try withDatabase { db in
      try String.fetchOne(db, sql: "SELECT typeof(?)", arguments: [Celsius(degrees: 1)])
    }
    #expect(type == "real")
  }

  @Test func `VAL-07, VAL-09: every value comes back in the storage class of its binding`() throws {
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
}
