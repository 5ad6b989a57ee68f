import Foundation
import Storage
import Testing

@testable import StorageTestSupport

private let score = Column("score")
private let bonus = Column("bonus")
private let height = Column("height")
private let createdAt = Column("createdAt")

@Suite struct ComparisonTests {
  private static let comparisons: [(SQLExpression, String)] = [
    (score < bonus, #""score" < "bonus""#),
    (score < 1, #""score" < 1"#),
    (1 < score, #"1 < "score""#),
    (score <= 1000, #""score" <= 1000"#),
    (1000 <= score, #"1000 <= "score""#),
    (score <= bonus, #""score" <= "bonus""#),
    (height > 1.75, #""height" > 1.75"#),
    (1.75 > height, #"1.75 > "height""#),
    (height > score, #""height" > "score""#),
    (score >= 10_000, #""score" >= 10000"#),
    (10_000 >= score, #"10000 >= "score""#),
    (score >= bonus, #""score" >= "bonus""#),
  ]

  @Test(arguments: comparisons)
  func `EXP-07…10: comparisons are written as SQL`(_ expression: SQLExpression, _ sql: String)
    throws
  {
    try expectSQL(expression, sql)
  }

  @Test func `VAL-10, VAL-11, EXP-46: dates are compared in their stored form`()
    throws
  {
    let date = Date(timeIntervalSince1970: 1_416_314_730)
    try expectSQL(Column("createdAt") <= date, #""createdAt" <= '2014-11-18 12:45:30.000'"#)
    try expectSQL(
      (date...date.addingTimeInterval(1)).contains(Column("createdAt")),
      #""createdAt" BETWEEN '2014-11-18 12:45:30.000' AND '2014-11-18 12:45:31.000'"#
    )
  }
}
