import Storage
import Testing

@testable import StorageTestSupport

private let id = Column("id")
private let name = Column("name")
private let email = Column("email")
private let score = Column("score")
private let bonus = Column("bonus")

@Suite struct OperatorChainTests {
  private static let chained: [(SQLExpression, String)] = [
    ([score, bonus, id].joined(operator: .and), #""score" AND "bonus" AND "id""#),
    ([Column]().joined(operator: .and), "1"),
    ([Column]().joined(operator: .or), "0"),
    ([Column]().joined(operator: .concat), "''"),
    ([score].joined(operator: .add), #""score""#),
    ([score, bonus, id].joined(operator: .add), #""score" + "bonus" + "id""#),
    ([score, bonus].joined(operator: .multiply), #""score" * "bonus""#),
    ([score, bonus].joined(operator: .or), #""score" OR "bonus""#),
    ([score, bonus].joined(operator: .bitwiseAnd), #""score" & "bonus""#),
    ([score, bonus].joined(operator: .bitwiseOr), #""score" | "bonus""#),
    ([name, " ".databaseValue, email].joined(operator: .concat), #""name" || ' ' || "email""#),
  ]

  @Test(arguments: chained)
  func `EXP-18, A-074: expressions are joined by an operator`(
    _ expression: SQLExpression,
    _ sql: String
  ) throws {
    try expectSQL(expression, sql)
  }
}
