import Foundation
import Testing

@testable import Storage

@Suite struct DatabaseValueSQLLiteralTests {
  private static let values: [DatabaseValue] = [
    .null, 0.databaseValue, Int64.min.databaseValue, Int64.max.databaseValue,
    1.5.databaseValue, (-0.1).databaseValue, 1e300.databaseValue,
    Double.infinity.databaseValue, (-Double.infinity).databaseValue,
    "".databaseValue, "O'Brien".databaseValue, "a\nb".databaseValue, "a\0b".databaseValue,
    Data().databaseValue, Data([0, 255]).databaseValue,
  ]

  @Test(arguments: values)
  func `SQLite reads a literal as the same value`(_ value: DatabaseValue) throws {
    let read = try DatabaseQueue().read {
      try DatabaseValue.fetchOne($0, sql: "SELECT \(value.sqlLiteral)")
    }
    #expect((read ?? .null) == value)
  }
}
