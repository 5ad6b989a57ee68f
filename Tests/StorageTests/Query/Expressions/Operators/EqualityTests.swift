import Storage
import Testing

@testable import StorageTestSupport

private let name = Column("name")
private let email = Column("email")
private let score = Column("score")
private let bonus = Column("bonus")
private let isActive = Column("isActive")

@Suite struct EqualityTests {
  private static let equalities: [(SQLExpression, String)] = [
    (name == "Arthur", #""name" = 'Arthur'"#),
    ("Arthur" == name, #"'Arthur' = "name""#),
    (name == email, #""name" = "email""#),
    (name == nil, #""name" IS NULL"#),
    (name == String?.none, #""name" IS NULL"#),
    (String?.none == name, #""name" IS NULL"#),
    (name == String?("x"), #""name" = 'x'"#),
    (name != "Arthur", #""name" <> 'Arthur'"#),
    ("Arthur" != name, #"'Arthur' <> "name""#),
    (name != email, #""name" <> "email""#),
    (email != nil, #""email" IS NOT NULL"#),
    (email != String?.none, #""email" IS NOT NULL"#),
    (score === 1000, #""score" IS 1000"#),
    (1000 === score, #"1000 IS "score""#),
    (score === bonus, #""score" IS "bonus""#),
    (score === nil, #""score" IS NULL"#),
    (score !== 1000, #""score" IS NOT 1000"#),
    (1000 !== score, #"1000 IS NOT "score""#),
    (score !== bonus, #""score" IS NOT "bonus""#),
    (score !== nil, #""score" IS NOT NULL"#),
    (isActive == true, #""isActive" = 1"#),
  ]

  @Test(arguments: equalities)
  func `EXP-01…06: equality is written with IS beside NULL`(
    _ expression: SQLExpression,
    _ sql: String
  ) throws {
    try expectSQL(expression, sql)
  }

  private static let conditions: [SQLExpression] = [
    email == nil, email == String?.none, email === nil, !(email != nil),
    (TypedColumn<String>("email") == nil).sqlExpression,
  ]

  @Test(arguments: conditions)
  func `a condition on NULL uses the partial index with the same condition`(
    _ condition: SQLExpression
  ) throws {
    try DatabaseQueue().write { db in
      try db.execute(sql: "CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT, email TEXT)")
      try db.create(index: "anonymous", on: "player", columns: ["name"], condition: condition)
      let request = Table("player").filter(condition).filter(name == "Arthur")
      let sql = try request.makePreparedRequest(db, forSingleResult: false).statement.sql
      let plan = try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(sql)", arguments: ["Arthur"])
      #expect("\(plan)".contains("anonymous"), "\(plan)")
    }
  }
}
