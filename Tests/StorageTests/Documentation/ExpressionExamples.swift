import Storage
import Testing

@testable import StorageTestSupport

// Examples from doc comments. DocumentedSQLTests runs them.

extension Examples {
  func expressionExamples() throws {
    try check(
      #"SELECT CASE WHEN "score" > 99 THEN 'high' WHEN "score" > 9 THEN 'low' END FROM "player""#,
      Player.select {
        Case().when($0.score > 99, then: "high").when($0.score > 9, then: "low")
      }
    )
    try check(
      #"SELECT CASE "color" WHEN 'r' THEN 'red' ELSE 'unknown' END FROM "player""#,
      Player.select { Case($0.color).when("r", then: "red").otherwise("unknown") }
    )
    try check(
      #"SELECT CAST("score" AS TEXT) FROM "player""#,
      Player.select { cast($0.score, as: .text) }
    )
    try check(#""order""#, Column("order").sqlExpression)
    try check(
      #"SELECT *, COUNT("id") AS "total" FROM "player" ORDER BY "total""#,
      request.annotated { count($0.id).forKey("total") }.order { _ in Column("total").detached }
    )
    try check(
      #"SELECT * FROM "player" WHERE "score" >= 1000"#,
      Player.filter(Column("score") >= 1000)
    )
    try check(#""order""#, Column("order"))
    try check(#""score" + 1"#, Column("score") + 1)
    try check(#"LENGTH("name")"#, length(Column("name")))
    try check(
      #"SELECT * FROM "player" WHERE "isActive" AND ("score" > 10)"#,
      Player.filter { $0.isActive && $0.score > 10 }
    )
    try check(#"SELECT "score" * 2 FROM "player""#, Player.select { $0.score * 2 })
    try check(#"SELECT * FROM "player" ORDER BY "score" * 2"#, Player.order { $0.score * 2 })
    try check(#"'O''Brien'"#, "O'Brien".sqlExpression)
    try check(#"SELECT NULL FROM "player""#, Player.select { _ in SQLExpression.null })
    try check(#"("score" * 2) + 10"#, Column("score") * 2 + 10)
  }
}
