import Storage
import Testing

private let id = Column("id")
private let score = Column("score")
private let isActive = Column("isActive")

@Suite struct LogicalTests {
  private static let conditions: [(SQLExpression, String)] = [
    (!isActive && score > 1, #"(NOT "isActive") AND ("score" > 1)"#),
    (!isActive || score < 1000, #"(NOT "isActive") OR ("score" < 1000)"#),
    (isActive && id && score, #""isActive" AND "id" AND "score""#),
    (isActive || id || score, #""isActive" OR "id" OR "score""#),
    (isActive && (id || score), #""isActive" AND ("id" OR "score")"#),
    (!isActive, #"NOT "isActive""#),
    (!(score < 1), #"NOT ("score" < 1)"#),
    (!(score == 1), #""score" <> 1"#),
    (!(score != 1), #""score" = 1"#),
    (!(score === 1), #""score" IS NOT 1"#),
    (!(!isActive), #"NOT (NOT "isActive")"#),
  ]

  @Test(arguments: conditions)
  func `EXP-21…23: logical operators are written as SQL`(_ expression: SQLExpression, _ sql: String)
    throws
  {
    try expectSQL(expression, sql)
  }
}
