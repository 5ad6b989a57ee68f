import Storage
import Testing

@testable import StorageTestSupport

private let id = TypedColumn<Int64>("id")
private let name = TypedColumn<String>("name")
private let email = TypedColumn<String?>("email")
private let score = TypedColumn<Int>("score")
private let bonus = TypedColumn<Int?>("bonus")
private let height = TypedColumn<Double>("height")
private let isActive = TypedColumn<Bool>("isActive")

@Suite struct TypedComparisonsTests {
  private static let conditions: [(TypedExpression<Bool>, String)] = [
    (id == 12, #""id" = 12"#),
    (12 == id, #"12 = "id""#),
    (score == bonus, #""score" = "bonus""#),
    (email == nil, #""email" IS NULL"#),
    (email != nil, #""email" IS NOT NULL"#),
    (email == "a", #""email" = 'a'"#),
    (score != 1, #""score" <> 1"#),
    (score < 1, #""score" < 1"#),
    (1 < score, #"1 < "score""#),
    (score <= bonus, #""score" <= "bonus""#),
    (score > 1, #""score" > 1"#),
    (height >= 1.5, #""height" >= 1.5"#),
    ([1, 2].contains(score), #""score" IN (1, 2)"#),
    (["a"].contains(email), #""email" IN ('a')"#),
    ((0...9).contains(score), #""score" BETWEEN 0 AND 9"#),
    ((0..<9).contains(bonus), #"("bonus" >= 0) AND ("bonus" < 9)"#),
    (email.like("%x"), #""email" LIKE '%x'"#),
    (email === nil, #""email" IS NULL"#),
    (email !== "a", #""email" IS NOT 'a'"#),
    (12 === id, #"12 IS "id""#),
    (score === bonus, #""score" IS "bonus""#),
    (score !== bonus, #""score" IS NOT "bonus""#),
    (email.like("%" + name, escape: "x"), #""email" LIKE ('%' || "name") ESCAPE 'x'"#),
    (name.glob("*x"), #""name" GLOB '*x'"#),
    (name.glob(email), #""name" GLOB "email""#),
    (name.collating(.nocase) == "arthur", #""name" = 'arthur' COLLATE NOCASE"#),
    (max(score) > 5, #"MAX("score") > 5"#),
    (isActive == true, #""isActive" = 1"#),
  ]

  @Test(arguments: conditions)
  func `TYP-01…06: typed columns form conditions`(
    _ expression: TypedExpression<Bool>,
    _ sql: String
  )
    throws
  {
    try expectSQL(expression, sql)
  }

  @Test func `a column of a non-optional type can be compared with nil`() throws {
    try expectSQL(score == nil, #""score" IS NULL"#)
    try expectSQL(score != nil, #""score" IS NOT NULL"#)
  }
}
