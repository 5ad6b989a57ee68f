import Storage
import Testing

@testable import StorageTestSupport

private let id = Column("id")
private let score = Column("score")

@Suite struct MembershipTests {
  private static let memberships: [(SQLExpression, String)] = [
    ([1, 2, 3].contains(id), #""id" IN (1, 2, 3)"#),
    ([Int]().contains(id), #""id" IN ()"#),
    (![1, 2, 3].contains(id), #""id" NOT IN (1, 2, 3)"#),
    (!(![1].contains(id)), #""id" IN (1)"#),
    (([1, score] as [any SQLExpressible]).contains(id), #""id" IN (1, "score")"#),
  ]

  @Test(arguments: memberships)
  func `EXP-24, EXP-25: membership is written as IN`(_ expression: SQLExpression, _ sql: String)
    throws
  {
    try expectSQL(expression, sql)
  }
}
