import Foundation
import Storage
import Testing

@testable import StorageTestSupport

/// Numbers that fit a type are stored and read unchanged. Numbers that do not fit are refused, not
/// clipped.
@Suite struct NumberConversionTests {
  /// Binds a value, and reads it from a live row, from a copy, and as a `DatabaseValue`.
  func roundTrip<Value: DatabaseValueConvertible & Equatable>(
    _ value: Value,
    storedAs type: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try withDatabase { db in
      let cursor = try Row.fetchCursor(db, sql: "SELECT ?1, typeof(?1)", arguments: [value])
      let live = try #require(try cursor.next())
      for row in [live, live.copy()] {
        #expect(try row.decode(Value.self, atIndex: 0) == value, sourceLocation: sourceLocation)
        #expect(row[1] == type, sourceLocation: sourceLocation)
      }
      #expect(Value.fromDatabaseValue(value.databaseValue) == value, sourceLocation: sourceLocation)
    }
  }

  /// Expects that none of the SQL expressions can be read as `type`.
  func refuse<Value: DatabaseValueConvertible>(
    _ expressions: [String],
    as type: Value.Type,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try withDatabase { db in
      for expression in expressions {
        let cursor = try Row.fetchCursor(db, sql: "SELECT \(expression)")
        let live = try #require(try cursor.next())
        for row in [live, live.copy()] {
          let error = #expect(throws: RowDecodingError.self, sourceLocation: sourceLocation) {
            try row.decode(Value.self, atIndex: 0)
          }
          #expect(error?.expectedType == "\(Value.self)", sourceLocation: sourceLocation)
        }
      }
    }
  }

  func check<Integer: FixedWidthInteger & DatabaseValueConvertible>(_ type: Integer.Type) throws {
    for value in [Integer.min, 0, 1, 42, .max] {
      try roundTrip(value, storedAs: value > Int64.max ? "text" : "integer")
    }
    try refuse(["1.5", "'1'", "'x'", "''", "x'31'", "NULL", "9.3e18 * 2", "-9.3e18"], as: type)
    if Integer.bitWidth < 64 {
      try refuse(["\(Int64(Integer.max) + 1)", "\(Int64(Integer.min) - 1)"], as: type)
      try refuse(["\(Int64(Integer.max) + 1).0"], as: type)
    }
    if !Integer.isSigned { try refuse(["-1", "'-1'", "'+9223372036854775808 '"], as: type) }
  }

  @Test func `VAL-01, VAL-02, A-036: integers of all widths are stored and read`() throws {
    try check(Int.self)
    try check(Int8.self)
    try check(Int16.self)
    try check(Int32.self)
    try check(Int64.self)
    try check(UInt.self)
    try check(UInt8.self)
    try check(UInt16.self)
    try check(UInt32.self)
    try check(UInt64.self)
  }

  @Test func `VAL-04, VAL-05, VAL-18: floating-point numbers are stored and read`() throws {
    for value in [0, -1.5, .pi, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .infinity]
      as [Double]
    {
      try roundTrip(value, storedAs: "real")
      try roundTrip(CGFloat(value), storedAs: "real")
    }
    for value in [0, -1.5, .pi, .greatestFiniteMagnitude, -.infinity] as [Float] {
      try roundTrip(value, storedAs: "real")
    }
    try refuse(["'1'", "''", "x'31'", "NULL"], as: Double.self)
    try refuse(["1e300", "-1e39", "'1'", "NULL"], as: Float.self)
  }

  @Test(arguments: ["0", "-12.5", "0.1", "123456789012345678901234567890.12345678", "1e-100"])
  func `a decimal keeps all digits`(text: String) throws {
    let decimal = try #require(Decimal(string: text))
    try roundTrip(decimal, storedAs: "text")
  }

  @Test func `a decimal is read from numbers, and from texts that are numbers as a whole`() throws {
    try withDatabase { db throws in
      let sql = "SELECT column1 FROM (VALUES ('12.50'), (3), (0.1), ('-1.5e3'), ('.5'), ('7.'))"
      let numbers = try Decimal.fetchAll(db, sql: sql).map(\.description)
      #expect(numbers == ["12.5", "3", "0.1", "-1500", "0.5", "7"])
    }
    let texts = [
      "'12abc'", "'abc'", "''", "' 1'", "'1 '", "'1,5'", "'.'", "'1e'", "'nan'", "'0x1'",
    ]
    try refuse(texts + ["x'31'", "NULL", "9e999"], as: Decimal.self)
    #expect(Decimal.nan.databaseValue == .null)
  }

  @Test func `a subscript stops with a message when a number does not fit`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let level: UInt8 = Row(["level": 256])["level"]
      print(level)
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("column level holds 256, which is no UInt8"))
    #expect(message.contains("Use row.decode(…) to get an error that can be caught."))
  }
}
