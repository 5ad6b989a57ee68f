import Storage
import Testing

@testable import StorageTestSupport

private let name = Column("name")
private let score = Column("score")

@Suite struct BetweenTests {
  private static let ranges: [(SQLExpression, String)] = [
    ((0...1000).contains(score), #""score" BETWEEN 0 AND 1000"#),
    (!(0...1000).contains(score), #""score" NOT BETWEEN 0 AND 1000"#),
    ((0..<1000).contains(score), #"("score" >= 0) AND ("score" < 1000)"#),
    (("A"..."N").contains(name), #""name" BETWEEN 'A' AND 'N'"#),
    (("A"..<"N").contains(name), #"("name" >= 'A') AND ("name" < 'N')"#),
  ]

  @Test(arguments: ranges)
  func `EXP-26…29: a range is written as BETWEEN, or as two comparisons`(
    _ expression: SQLExpression,
    _ sql: String
  ) throws {
    try expectSQL(expression, sql)
  }
}
