import Foundation
import Storage
import Testing

private let name = Column("name")
private let email = Column("email")
private let score = Column("score")
private let bonus = Column("bonus")
private let isActive = Column("isActive")
private let createdAt = Column("createdAt")

@Suite struct FunctionTests {
  private static let aggregateCalls: [(SQLExpression, String)] = [
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
    (Database.jsonGroupArray(name), #"JSON_GROUP_ARRAY("name")"#),
  ]

  @Test("FUN-02…09, FUN-19, AGG-05…12, A-077: aggregates", arguments: aggregateCalls)
  func aggregates(_ expression: SQLExpression, _ sql: String) throws {
    try expectSQL(expression, sql)
  }

  private static let values: [(SQLExpression, String)] = [
    (abs(score), #"ABS("score")"#),
    (length(name), #"LENGTH("name")"#),
    (name ?? "Anonymous", #"IFNULL("name", 'Anonymous')"#),
    (name ?? email, #"IFNULL("name", "email")"#),
    (coalesce(email, name, "x"), #"COALESCE("email", "name", 'x')"#),
    (nullif(name, ""), #"NULLIF("name", '')"#),
    (round(score), #"ROUND("score")"#),
    (round(score, 2), #"ROUND("score", 2)"#),
    (trim(name), #"TRIM("name")"#),
    (trim(name, characters: "-"), #"TRIM("name", '-')"#),
    (trimLeft(name), #"LTRIM("name")"#),
    (trimRight(name), #"RTRIM("name")"#),
    (replace(email, "a", "b"), #"REPLACE("email", 'a', 'b')"#),
    (substr(name, 1), #"SUBSTR("name", 1)"#),
    (substr(name, 0, 100), #"SUBSTR("name", 0, 100)"#),
    (instr(email, "@"), #"INSTR("email", '@')"#),
    (asciiLowercased(name), #"LOWER("name")"#),
    (asciiUppercased(name), #"UPPER("name")"#),
    (min(score, bonus, 100), #"MIN("score", "bonus", 100)"#),
    (max(score, bonus), #"MAX("score", "bonus")"#),
    (SQLExpression.random, "RANDOM()"),
    (cast(score, as: .text), #"CAST("score" AS TEXT)"#),
    (date("now"), "DATE('now')"),
    (date(createdAt), #"DATE("createdAt")"#),
    (date(createdAt, .startOfMonth), #"DATE("createdAt", 'start of month')"#),
    (time(createdAt), #"TIME("createdAt")"#),
    (dateTime(createdAt), #"DATETIME("createdAt")"#),
    (julianDay(createdAt, .day(1)), #"JULIANDAY("createdAt", '1 days')"#),
    (strftime("%Y", createdAt), #"STRFTIME('%Y', "createdAt")"#),
    (Database.jsonExtract(name, atPath: "$.a"), #"JSON_EXTRACT("name", '$.a')"#),
    (Database.jsonArrayLength(name), #"JSON_ARRAY_LENGTH("name")"#),
    (Database.json(name), #"JSON("name")"#),
    (Database.jsonIsValid(name), #"JSON_VALID("name")"#),
    (Database.jsonType(name), #"JSON_TYPE("name")"#),
    (Database.jsonArray([score, 1]), #"JSON_ARRAY("score", 1)"#),
    (Database.jsonObject(["a": score]), #"JSON_OBJECT('a', "score")"#),
    (name.jsonValue(at: "$.a"), #""name" ->> '$.a'"#),
    (name.jsonRepresentation(at: "$.a"), #""name" -> '$.a'"#),
    (JSONColumn("name")["city"] == "Rome", #"("name" ->> 'city') = 'Rome'"#),
  ]

  @Test(
    "FUN-01, FUN-05, FUN-10, FUN-17…23, EXP-20, EXP-41, A-077, A-079, A-091: functions",
    arguments: values
  )
  func functions(_ expression: SQLExpression, _ sql: String) throws {
    try expectSQL(expression, sql)
  }

  /// What functions give in the row of Arthur, whose score is 100, and who has no bonus.
  private static let evaluations: [(SQLExpression, String)] = [
    (abs(score - 150), "50"),
    (length(name), "6"),
    (bonus ?? "none", "'none'"),
    (coalesce(bonus, email, "x"), "'a@x.com'"),
    (nullif(name, "x"), "'Arthur'"),
    (round(score / 3.0, 1), "33.3"),
    (trim(name, characters: "Ar"), "'thu'"),
    (trimLeft(name, characters: "A"), "'rthur'"),
    (trimRight(name, characters: "r"), "'Arthu'"),
    (replace(email, "@", " at "), "'a at x.com'"),
    (substr(name, 1, 3), "'Art'"),
    (instr(email, "@"), "2"),
    (asciiLowercased(name), "'arthur'"),
    (asciiUppercased(name), "'ARTHUR'"),
    (min(score, 7, 9), "7"),
    (max(score, 7), "100"),
    (cast(score, as: .text), "'100'"),
    (date("2007-01-09", .startOfMonth), "'2007-01-01'"),
    (time("2007-01-09 09:41:00"), "'09:41:00'"),
    (dateTime("2007-01-09 09:41:00", .day(1)), "'2007-01-10 09:41:00'"),
    (julianDay("2007-01-09 12:00:00", .day(1)), "2454111.0"),
    (strftime("%Y", "2007-01-09"), "'2007'"),
    (Database.jsonExtract(#"{"a":5}"#, atPath: "$.a"), "5"),
    (Database.jsonArrayLength("[1,2]"), "2"),
    (Database.jsonIsValid(name), "0"),
    (Database.jsonType("[1,2]"), "'array'"),
    (Database.jsonArray([score, 1]), "'[100,1]'"),
    (Database.jsonObject(["a": score]), #"'{"a":100}'"#),
    (#"{"a":5}"#.databaseValue.jsonValue(at: "$.a"), "5"),
    (email.like("%@X.com"), "1"),
    (email.glob("*@X.com"), "0"),
    (score ^ 2, "102"),
    (~score, "-101"),
    (score >> 1, "50"),
    (Case(score).when(100, then: "full").otherwise("x"), "'full'"),
    (groupConcat(name), "'Arthur'"),
    (Database.jsonGroupArray(name), #"'["Arthur"]'"#),
    (ntile(4).over(orderBy: [score]), "1"),
    (lead(score, 2, default: 0).over(orderBy: [name]), "0"),
  ]

  @Test("FUN-01…10, FUN-17…23, EXP-31, EXP-32, EXP-35…41: results", arguments: evaluations)
  func evaluation(_ expression: SQLExpression, _ value: String) throws {
    try withPlayers { db in
      let found = try DatabaseValue.fetchAll(db, Player.filter(key: 1).select(expression))
      #expect(found.map(\.description) == [value])
    }
  }

  @Test("FUN-21: a Swift date")
  func swiftDate() throws {
    let birth = Date(timeIntervalSince1970: 1_168_335_660)
    try expectSQL(date(birth), "DATE('2007-01-09 09:41:00.000')")
  }

  @Test("EXP-19: concatenation with a cast")
  func sentence() throws {
    try expectSQL(
      [name, " is ".databaseValue, cast(score, as: .text), "!".databaseValue]
        .joined(operator: .concat),
      #""name" || ' is ' || CAST("score" AS TEXT) || '!'"#
    )
  }

  private static let windowCalls: [(SQLExpression, String)] = [
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

  @Test("A-078: window functions", arguments: windowCalls)
  func windows(_ expression: SQLExpression, _ sql: String) throws {
    try expectSQL(expression, sql)
  }

  @Test func `A choice is made by conditions or by a value`() throws {
    try expectSQL(
      Case().when(score > 10, then: "high").when(score > 1, then: "low"),
      #"CASE WHEN "score" > 10 THEN 'high' WHEN "score" > 1 THEN 'low' END"#
    )
    try expectSQL(
      Case(name).when("r", then: "red").otherwise("unknown"),
      #"CASE "name" WHEN 'r' THEN 'red' ELSE 'unknown' END"#
    )
    try expectSQL(Case().otherwise(1), "CASE WHEN 0 THEN NULL ELSE 1 END")
  }

  @Test("AGG-05…11: aggregates of rows, and of none")
  func results() throws {
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

  @Test("A-078: rows sorted by their number in a window")
  func windowResult() throws {
    try withPlayers { db in
      let names = try Player.order { rowNumber().over(orderBy: [$0.score.desc]) }
        .select({ $0.name }, as: String.self).fetchAll(db)
      #expect(names == ["Barbara", "Arthur", "Craig"])
    }
  }
}
