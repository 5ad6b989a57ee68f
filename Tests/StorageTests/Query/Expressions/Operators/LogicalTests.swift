import Storage
import Testing

@testable import StorageTestSupport

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
    (score > 1 && true.databaseValue, #"("score" > 1) AND 1"#),
    (false.databaseValue || score > 1, #"0 OR ("score" > 1)"#),
    (isActive && true.databaseValue, #""isActive" AND 1"#),
  ]

  @Test(arguments: conditions)
  func `EXP-21…23: logical operators are written as SQL`(_ expression: SQLExpression, _ sql: String)
    throws
  {
    try expectSQL(expression, sql)
  }
}

@Suite struct LogicalBoolTests {
  @Test func `a Bool is a condition of a request`() throws {
    try expectSQL(request: Player.filter(true), #"SELECT * FROM "player" WHERE 1"#)
    try expectSQL(request: Player.all().filter(false), #"SELECT * FROM "player" WHERE 0"#)
    try expectSQL(
      request: Player.filter(true.databaseValue),
      #"SELECT * FROM "player" WHERE 1"#
    )
    try expectSQL(request: Table("player").filter(true), #"SELECT * FROM "player" WHERE 1"#)
    try expectSQL(
      request: Player.select(id).group(id).having(true),
      #"SELECT "id" FROM "player" GROUP BY "id" HAVING 1"#
    )
  }

  @Test func `between two requests, and with nil, the operator is SQL's`() throws {
    let first = Player.select(id), second = Player.select(score)
    try expectSQL(
      request: Player.filter(first == second),
      #"SELECT * FROM "player" WHERE (SELECT "id" FROM "player") = (SELECT "score" FROM "player")"#
    )
    try expectSQL(
      request: Player.filter { $0.isActive && first == second },
      #"SELECT * FROM "player" WHERE "isActive" AND "#
        + #"((SELECT "id" FROM "player") = (SELECT "score" FROM "player"))"#
    )
    try expectSQL(
      request: Player.filter(score == nil),
      #"SELECT * FROM "player" WHERE "score" IS NULL"#
    )
    try expectSQL(
      request: Player.filter(TypedColumn<Int>("score") == nil && true.databaseValue),
      #"SELECT * FROM "player" WHERE ("score" IS NULL) AND 1"#
    )
    let (yes, no) = (true.databaseValue, false.databaseValue)
    try expectSQL(
      request: Player.filter(score == nil || yes || no),
      #"SELECT * FROM "player" WHERE ("score" IS NULL) OR 1 OR 0"#
    )
    try expectSQL(
      request: Player.filter { yes && ($0.score == nil || no) },
      #"SELECT * FROM "player" WHERE 1 AND (("score" IS NULL) OR 0)"#
    )
    try expectSQL(
      request: Player.filter(TypedColumn<Int>("score") == nil || yes || no),
      #"SELECT * FROM "player" WHERE ("score" IS NULL) OR 1 OR 0"#
    )
    try expectSQL(
      request: Player.filter(first == second || yes || no),
      #"SELECT * FROM "player" WHERE "#
        + #"((SELECT "id" FROM "player") = (SELECT "score" FROM "player")) OR 1 OR 0"#
    )
    try expectSQL(
      request: Player.filter(TypedColumn<Int>("score") != nil),
      #"SELECT * FROM "player" WHERE "score" IS NOT NULL"#
    )
    try expectSQL(
      request: Player.filter(nil == score),
      #"SELECT * FROM "player" WHERE "score" IS NULL"#
    )
    try expectSQL(
      request: Player.filter { nil != $0.score && nil === $0.email && nil !== $0.name },
      #"SELECT * FROM "player" WHERE "#
        + #"("score" IS NOT NULL) AND ("email" IS NULL) AND ("name" IS NOT NULL)"#
    )
    try expectSQL(
      request: Player.filter(nil == TypedColumn<Int>("score") || nil != TypedColumn<Int?>("score")),
      #"SELECT * FROM "player" WHERE ("score" IS NULL) OR ("score" IS NOT NULL)"#
    )
  }
}
