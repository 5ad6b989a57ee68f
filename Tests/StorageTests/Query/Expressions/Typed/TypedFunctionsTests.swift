import Storage
import Testing

@testable import StorageTestSupport

private let name = TypedColumn<String>("name")
private let email = TypedColumn<String?>("email")
private let score = TypedColumn<Int>("score")
private let bonus = TypedColumn<Int?>("bonus")
private let height = TypedColumn<Double>("height")

@Suite struct TypedFunctionsTests {
  private static let strings: [(TypedExpression<String>, String)] = [
    (trim(name), #"TRIM("name")"#),
    (trim(name, characters: "-"), #"TRIM("name", '-')"#),
    (replace(name, "a", "b"), #"REPLACE("name", 'a', 'b')"#),
    (substr(name, 2), #"SUBSTR("name", 2)"#),
    (substr(name, 1, 3), #"SUBSTR("name", 1, 3)"#),
    (email ?? "none", #"IFNULL("email", 'none')"#),
    (cast(score, as: String.self), #"CAST("score" AS TEXT)"#),
  ]

  @Test(arguments: strings)
  func `TYP-11: functions of typed strings keep the type`(
    _ expression: TypedExpression<String>,
    _ sql: String
  ) throws {
    try expectSQL(expression, sql)
  }

  @Test func `TYP-11: functions of typed columns return typed expressions`() throws {
    let absolute: TypedExpression<Int> = abs(score)
    try expectSQL(absolute, #"ABS("score")"#)
    let rounded: TypedExpression<Double?> = round(height, 1)
    try expectSQL(rounded, #"ROUND("height", 1)"#)
    try expectSQL(round(height) > 1, #"ROUND("height") > 1.0"#)
    let distinct: TypedExpression<Int> = count(distinct: name)
    try expectSQL(distinct, #"COUNT(DISTINCT "name")"#)
    try expectSQL(average(score), #"AVG("score")"#)
    try expectSQL(total(score), #"TOTAL("score")"#)
    try expectSQL(sum(bonus), #"SUM("bonus")"#)
    try expectSQL(min(height), #"MIN("height")"#)
    try expectSQL(length(name), #"LENGTH("name")"#)
  }

  private static let others: [(SQLExpression, String)] = [
    (trimLeft(name), #"LTRIM("name")"#),
    (instr(name, "a"), #"INSTR("name", 'a')"#),
    (asciiUppercased(name), #"UPPER("name")"#),
    (nullif(name, ""), #"NULLIF("name", '')"#),
    (coalesce(email, name), #"COALESCE("email", "name")"#),
    (min(score, height), #"MIN("score", "height")"#),
    (sum(score, filter: name == "a").untyped, #"SUM("score") FILTER (WHERE "name" = 'a')"#),
    (groupConcat(name), #"GROUP_CONCAT("name", ',')"#),
    (lag(score).over(orderBy: [name]), #"LAG("score", 1) OVER (ORDER BY "name")"#),
    (date(email), #"DATE("email")"#),
    (Case(name).when("a", then: 1).otherwise(0), #"CASE "name" WHEN 'a' THEN 1 ELSE 0 END"#),
  ]

  @Test(arguments: others)
  func `all functions accept typed columns`(_ expression: SQLExpression, _ sql: String) throws {
    try expectSQL(expression, sql)
  }
}
