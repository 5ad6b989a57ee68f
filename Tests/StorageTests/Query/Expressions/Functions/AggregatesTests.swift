import Storage
import Testing

@testable import StorageTestSupport

private let name = Column("name")
private let score = Column("score")
private let isActive = Column("isActive")

@Suite struct AggregatesTests {
  private static let calls: [(SQLExpression, String)] = [
    (count(name), #"COUNT("name")"#),
    (count(distinct: name), #"COUNT(DISTINCT "name")"#),
    (count(.allColumns), "COUNT(*)"),
    (average(score), #"AVG("score")"#),
    (min(score), #"MIN("score")"#),
    (max(score), #"MAX("score")"#),
    (sum(score), #"SUM("score")"#),
    (total(score), #"TOTAL("score")"#),
    (groupConcat(name, separator: "; "), #"GROUP_CONCAT("name", '; ')"#),
    (sum(score, filter: isActive), #"SUM("score") FILTER (WHERE "isActive")"#),
    (count(name, filter: score > 1), #"COUNT("name") FILTER (WHERE "score" > 1)"#),
  ]

  @Test(arguments: calls)
  func `FUN-02…09, FUN-19, AGG-05…12, A-077: aggregates are written as calls`(
    _ expression: SQLExpression,
    _ sql: String
  )
    throws
  {
    try expectSQL(expression, sql)
  }

  @Test func `FUN-19: an aggregate concatenates the values of rows`() throws {
    try expectValue(groupConcat(name), "'Arthur'")
  }

  @Test func `AGG-05…11: aggregates are computed over rows, and over no rows`() throws {
    try withPlayers { db throws in
      #expect(try Player.select({ count($0.email) }, as: Int.self).fetchOne(db) == 2)
      #expect(try Player.select({ max($0.id) }, as: Int64.self).fetchOne(db) == 3)
      #expect(try Player.select({ min($0.id) }, as: Int64.self).fetchOne(db) == 1)
      #expect(try Player.select({ average($0.score) }, as: Double.self).fetchOne(db) == 550)
      #expect(try Player.select({ sum($0.score) }, as: Int.self).fetchOne(db) == 1100)
      #expect(try Player.none().select({ sum($0.score) }, as: Int.self).fetchOne(db) == nil)
      #expect(try Player.none().select({ total($0.score) }, as: Double.self).fetchOne(db) == 0)
    }
  }
}
