import Storage
import Testing

@testable import StorageTestSupport

private let name = TypedColumn<String>("name")
private let email = TypedColumn<String?>("email")
private let score = TypedColumn<Int>("score")
private let bonus = TypedColumn<Int?>("bonus")
private let mask = TypedColumn<Int>("mask")

@Suite struct TypedArithmeticTests {
  private static let numbers: [(TypedExpression<Int>, String)] = [
    (score + 1, #""score" + 1"#),
    (1 + score, #"1 + "score""#),
    (score + mask, #""score" + "mask""#),
    (score - 1, #""score" - 1"#),
    (score * 2 + 1, #"("score" * 2) + 1"#),
    (score / 2, #""score" / 2"#),
    (score % 2, #""score" % 2"#),
    (mask & 2, #""mask" & 2"#),
    (mask | 2, #""mask" | 2"#),
    (mask << 2, #""mask" << 2"#),
    (mask >> 2, #""mask" >> 2"#),
    (mask ^ 2, #"(~("mask" & 2)) & ("mask" | 2)"#),
    (-score, #"-"score""#),
    (~mask, #"~"mask""#),
    (bonus ?? 0, #"IFNULL("bonus", 0)"#),
    (bonus ?? score, #"IFNULL("bonus", "score")"#),
    (count(email), #"COUNT("email")"#),
  ]

  @Test(arguments: numbers)
  func `TYP-07, TYP-11, EXP-15: typed columns form calculations`(
    _ expression: TypedExpression<Int>,
    _ sql: String
  )
    throws
  {
    try expectSQL(expression, sql)
  }

  @Test func `TYP-08, TYP-10, C-07: strings are concatenated`() throws {
    try expectSQL(name + " b", #""name" || ' b'"#)
    try expectSQL(
      name + " is " + cast(score, as: String.self),
      #""name" || ' is ' || CAST("score" AS TEXT)"#
    )
  }
}
