import Storage
import Testing

@testable import StorageTestSupport

private let name = Column("name")
private let score = Column("score")

@Suite struct WindowsTests {
  private static let calls: [(SQLExpression, String)] = [
    (
      rowNumber().over(partitionBy: [name], orderBy: [score.desc]),
      #"ROW_NUMBER() OVER (PARTITION BY "name" ORDER BY "score" DESC)"#
    ),
    (rank().over(orderBy: [score]), #"RANK() OVER (ORDER BY "score")"#),
    (denseRank().over(orderBy: [score]), #"DENSE_RANK() OVER (ORDER BY "score")"#),
    (percentRank().over(orderBy: [score]), #"PERCENT_RANK() OVER (ORDER BY "score")"#),
    (cumeDist().over(orderBy: [score]), #"CUME_DIST() OVER (ORDER BY "score")"#),
    (ntile(4).over(orderBy: [score]), #"NTILE(4) OVER (ORDER BY "score")"#),
    (lag(score).over(orderBy: [name]), #"LAG("score", 1) OVER (ORDER BY "name")"#),
    (
      lead(score, 2, default: 0).over(orderBy: [name]),
      #"LEAD("score", 2, 0) OVER (ORDER BY "name")"#
    ),
    (firstValue(score).over(), #"FIRST_VALUE("score") OVER ()"#),
    (
      lastValue(score).over(orderBy: [name], frame: "ROWS BETWEEN 1 PRECEDING AND CURRENT ROW"),
      #"LAST_VALUE("score") OVER (ORDER BY "name" ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)"#
    ),
    (sum(score).over(partitionBy: [name]), #"SUM("score") OVER (PARTITION BY "name")"#),
  ]

  @Test(arguments: calls)
  func `A-078: window functions are written with their window`(
    _ expression: SQLExpression,
    _ sql: String
  ) throws {
    try expectSQL(expression, sql)
  }

  private static let results: [(SQLExpression, String)] = [
    (ntile(4).over(orderBy: [score]), "1"),
    (lead(score, 2, default: 0).over(orderBy: [name]), "0"),
  ]

  @Test(arguments: results)
  func `A-078: window functions see the rows of their window`(
    _ expression: SQLExpression,
    _ value: String
  ) throws {
    try expectValue(expression, value)
  }

  @Test func `A-078: rows are sorted by their number in a window`() throws {
    try withPlayers { db in
      let names = try Player.order { rowNumber().over(orderBy: [$0.score.desc]) }
        .select({ $0.name }, as: String.self).fetchAll(db)
      #expect(names == ["Barbara", "Arthur", "Craig"])
    }
  }
}
