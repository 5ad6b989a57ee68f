import Storage
import Testing

@testable import StorageTestSupport

private let email = Column("email")

@Suite struct LikeTests {
  private static let patterns: [(SQLExpression, String)] = [
    (email.like("%@example.com"), #""email" LIKE '%@example.com'"#),
    (!email.like("%@example.com"), #""email" NOT LIKE '%@example.com'"#),
    (email.like("100\\%", escape: "\\"), #""email" LIKE '100\%' ESCAPE '\'"#),
    (email.glob("*.png"), #""email" GLOB '*.png'"#),
    (!email.glob("*.png"), #""email" NOT GLOB '*.png'"#),
  ]

  @Test(arguments: patterns)
  func `EXP-31, EXP-32, A-076: pattern conditions are written as SQL`(
    _ expression: SQLExpression,
    _ sql: String
  ) throws {
    try expectSQL(expression, sql)
  }

  private static let results: [(SQLExpression, String)] = [
    (email.like("%@X.com"), "1"),
    (email.glob("*@X.com"), "0"),
  ]

  @Test(arguments: results)
  func `EXP-31, EXP-32: LIKE ignores the case of letters, and GLOB does not`(
    _ expression: SQLExpression,
    _ value: String
  ) throws {
    try expectValue(expression, value)
  }
}
