import Storage
import Testing

@testable import StorageTestSupport

private let name = Column("name")
private let score = Column("score")
private let bonus = Column("bonus")
private let height = Column("height")

@Suite struct ArithmeticTests {
  private static let calculations: [(SQLExpression, String)] = [
    (score + bonus, #""score" + "bonus""#),
    (score + 1, #""score" + 1"#),
    (1 + score, #"1 + "score""#),
    (score - 1, #""score" - 1"#),
    (1 - score, #"1 - "score""#),
    (score - bonus - 1, #"("score" - "bonus") - 1"#),
    (height * 1.8 + 32, #"("height" * 1.8) + 32"#),
    (2 * score, #"2 * "score""#),
    (score * bonus, #""score" * "bonus""#),
    (score / 2, #""score" / 2"#),
    (2 / score, #"2 / "score""#),
    (score / bonus, #""score" / "bonus""#),
    (score % 2, #""score" % 2"#),
    (7 % score, #"7 % "score""#),
    (score % bonus, #""score" % "bonus""#),
    (-score, #"-"score""#),
    (-(-score), #"-(-"score")"#),
    (-(-5).databaseValue, "-(-5)"),
    (name + "rrr", #""name" + 'rrr'"#),
    ((score + 1) * 2 < bonus, #"(("score" + 1) * 2) < "bonus""#),
    (score + 1 + 2, #"("score" + 1) + 2"#),
  ]

  @Test(arguments: calculations)
  func `EXP-11…17, EXP-45: arithmetic is written with parentheses where they are needed`(
    _ expression: SQLExpression,
    _ sql: String
  ) throws {
    try expectSQL(expression, sql)
  }
}
