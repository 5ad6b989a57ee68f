import Storage
import Testing

@testable import StorageTestSupport

private let score = Column("score")
private let bonus = Column("bonus")

@Suite struct NumbersTests {
  private static let calls: [(SQLExpression, String)] = [
    (abs(score), #"ABS("score")"#),
    (round(score), #"ROUND("score")"#),
    (round(score, 2), #"ROUND("score", 2)"#),
    (min(score, bonus, 100), #"MIN("score", "bonus", 100)"#),
    (max(score, bonus), #"MAX("score", "bonus")"#),
    (SQLExpression.random, "RANDOM()"),
  ]

  @Test(arguments: calls)
  func `FUN-01, FUN-18, A-077, A-079: number functions are written as calls`(
    _ expression: SQLExpression,
    _ sql: String
  ) throws {
    try expectSQL(expression, sql)
  }

  private static let results: [(SQLExpression, String)] = [
    (abs(score - 150), "50"),
    (round(score / 3.0, 1), "33.3"),
    (min(score, 7, 9), "7"),
    (max(score, 7), "100"),
  ]

  @Test(arguments: results)
  func `FUN-01, FUN-18: number functions compute numbers`(
    _ expression: SQLExpression,
    _ value: String
  ) throws {
    try expectValue(expression, value)
  }
}
