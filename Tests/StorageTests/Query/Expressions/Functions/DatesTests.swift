import Foundation
import Storage
import Testing

@testable import StorageTestSupport

private let createdAt = Column("createdAt")

@Suite struct DatesTests {
  private static let calls: [(SQLExpression, String)] = [
    (date("now"), "DATE('now')"),
    (date(createdAt), #"DATE("createdAt")"#),
    (date(createdAt, .startOfMonth), #"DATE("createdAt", 'start of month')"#),
    (time(createdAt), #"TIME("createdAt")"#),
    (dateTime(createdAt), #"DATETIME("createdAt")"#),
    (julianDay(createdAt, .day(1)), #"JULIANDAY("createdAt", '1 days')"#),
    (strftime("%Y", createdAt), #"STRFTIME('%Y', "createdAt")"#),
  ]

  @Test(arguments: calls)
  func `FUN-20…23, A-077: date functions are written as calls`(
    _ expression: SQLExpression,
    _ sql: String
  ) throws {
    try expectSQL(expression, sql)
  }

  private static let results: [(SQLExpression, String)] = [
    (date("2007-01-09", .startOfMonth), "'2007-01-01'"),
    (time("2007-01-09 09:41:00"), "'09:41:00'"),
    (dateTime("2007-01-09 09:41:00", .day(1)), "'2007-01-10 09:41:00'"),
    (julianDay("2007-01-09 12:00:00", .day(1)), "2454111.0"),
    (strftime("%Y", "2007-01-09"), "'2007'"),
  ]

  @Test(arguments: results)
  func `FUN-20, FUN-22, FUN-23: date functions compute dates`(
    _ expression: SQLExpression,
    _ value: String
  ) throws {
    try expectValue(expression, value)
  }

  @Test func `FUN-21: a date function accepts a Swift date`() throws {
    let birth = Date(timeIntervalSince1970: 1_168_335_660)
    try expectSQL(date(birth), "DATE('2007-01-09 09:41:00.000')")
  }
}
