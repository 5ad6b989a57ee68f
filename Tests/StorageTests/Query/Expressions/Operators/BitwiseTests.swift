import Storage
import Testing

@testable import StorageTestSupport

private let score = Column("score")
private let bonus = Column("bonus")
private let mask = Column("mask")

@Suite struct BitwiseTests {
  private static let masks: [(SQLExpression, String)] = [
    (mask & 2, #""mask" & 2"#),
    (2 & mask, #"2 & "mask""#),
    (mask & score, #""mask" & "score""#),
    (mask | 2, #""mask" | 2"#),
    (2 | mask, #"2 | "mask""#),
    (mask | score, #""mask" | "score""#),
    (~mask, #"~"mask""#),
    (mask << 1, #""mask" << 1"#),
    (1 << mask, #"1 << "mask""#),
    (mask << score, #""mask" << "score""#),
    (mask >> 1, #""mask" >> 1"#),
    (1 >> mask, #"1 >> "mask""#),
    (mask >> score, #""mask" >> "score""#),
    (score ^ bonus, #"(~("score" & "bonus")) & ("score" | "bonus")"#),
    (score ^ 2, #"(~("score" & 2)) & ("score" | 2)"#),
    (2 ^ score, #"(~(2 & "score")) & (2 | "score")"#),
  ]

  @Test(arguments: masks)
  func `EXP-35…40: bitwise operators are written as SQL`(_ expression: SQLExpression, _ sql: String)
    throws
  {
    try expectSQL(expression, sql)
  }

  private static let results: [(SQLExpression, String)] = [
    (score ^ 2, "102"),
    (~score, "-101"),
    (score >> 1, "50"),
  ]

  @Test(arguments: results)
  func `EXP-37, EXP-39, EXP-40: bitwise operators compute numbers`(
    _ expression: SQLExpression,
    _ value: String
  ) throws {
    try expectValue(expression, value)
  }
}
