import Foundation
import Storage
import Testing

@testable import StorageTestSupport

private let score = TypedColumn<Int>("score")

@Suite struct DatabaseValueConvertibleColumnTypeTests {
  @Test func `VAL-15: a type declares the type of its column`() throws {
    struct Celsius: DatabaseValueConvertible {
      var degrees: Double
      static var databaseColumnType: Database.ColumnType? { .real }
      var databaseValue: DatabaseValue { degrees.databaseValue }
      static func fromDatabaseValue(_ value: DatabaseValue) -> Celsius? {
        Double.fromDatabaseValue(value).map(Celsius.init)
      }
    }
    #expect(Celsius.databaseColumnType == .real)
    #expect(Celsius?.databaseColumnType == .real)
    try expectSQL(cast(score, as: Celsius.self), #"CAST("score" AS REAL)"#)
    #expect([Int8.databaseColumnType, Int?.databaseColumnType] == [.integer, .integer])
    #expect(Float.databaseColumnType == .real)
    #expect(String.databaseColumnType == .text)
    #expect(Bool.databaseColumnType == .boolean)
    #expect(URL.databaseColumnType == .text)
    #expect(UUID.databaseColumnType == .blob)
    #expect(Decimal?.databaseColumnType == .numeric)
  }
}
