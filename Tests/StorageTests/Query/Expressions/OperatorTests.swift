import Foundation
import Storage
import Testing

private let id = Column("id")
private let name = Column("name")
private let email = Column("email")
private let score = Column("score")
private let bonus = Column("bonus")
private let height = Column("height")
private let mask = Column("mask")
private let isActive = Column("isActive")

@Suite struct OperatorTests {
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

  @Test("EXP-01…06: equality", arguments: equalities)
  func equality(_ expression: SQLExpression, _ sql: String) throws {
    try expectSQL(expression, sql)
  }

  private static let orders: [(SQLExpression, String)] = [
    (score < bonus, #""score" < "bonus""#),
    (score < 1, #""score" < 1"#),
    (1 < score, #"1 < "score""#),
    (score <= 1000, #""score" <= 1000"#),
    (1000 <= score, #"1000 <= "score""#),
    (score <= bonus, #""score" <= "bonus""#),
    (height > 1.75, #""height" > 1.75"#),
    (1.75 > height, #"1.75 > "height""#),
    (height > score, #""height" > "score""#),
    (score >= 10_000, #""score" >= 10000"#),
    (10_000 >= score, #"10000 >= "score""#),
    (score >= bonus, #""score" >= "bonus""#),
  ]

  @Test("EXP-07…10: order", arguments: orders)
  func order(_ expression: SQLExpression, _ sql: String) throws {
    try expectSQL(expression, sql)
  }

  private static let sums: [(SQLExpression, String)] = [
    (score + bonus, #""score" + "bonus""#),
    (score + 1, #""score" + 1"#),
    (1 + score, #"1 + "score""#),
    (score - 1, #""score" - 1"#),
    (1 - score, #"1 - "score""#),
    (score - bonus - 1, #"("score" - "bonus") - 1"#),
    (height * 1.8 + 32, #"("height" * 1.8) + 32"#),
    (2 * score, #"2 * "score""#),
    (score * bonus, #""score" * "bonus""#),
    (score / 2, #""score" / 2"#),
    (2 / score, #"2 / "score""#),
    (score / bonus, #""score" / "bonus""#),
    (score % 2, #""score" % 2"#),
    (7 % score, #"7 % "score""#),
    (score % bonus, #""score" % "bonus""#),
    (-score, #"-"score""#),
    (-(-score), #"-(-"score")"#),
    (-(-5).databaseValue, "-(-5)"),
    (name + "rrr", #""name" + 'rrr'"#),
    ((score + 1) * 2 < bonus, #"(("score" + 1) * 2) < "bonus""#),
    (score + 1 + 2, #"("score" + 1) + 2"#),
  ]

  @Test("EXP-11…17, EXP-45: arithmetic, with parentheses where they are needed", arguments: sums)
  func arithmetic(_ expression: SQLExpression, _ sql: String) throws {
    try expectSQL(expression, sql)
  }

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

  @Test("EXP-21…23: logic", arguments: conditions)
  func logic(_ expression: SQLExpression, _ sql: String) throws {
    try expectSQL(expression, sql)
  }

  private static let masks: [(SQLExpression, String)] = [
    (mask & 2, #""mask" & 2"#),
    (2 & mask, #"2 & "mask""#),
    (mask & score, #""mask" & "score""#),
    (mask | 2, #""mask" | 2"#),
    (2 | mask, #"2 | "mask""#),
    (mask | score, #""mask" | "score""#),
    (~mask, #"~"mask""#),
    (mask << 1, #""mask" << 1"#),
    (1 << mask, #"1 << "mask""#),
    (mask << score, #""mask" << "score""#),
    (mask >> 1, #""mask" >> 1"#),
    (1 >> mask, #"1 >> "mask""#),
    (mask >> score, #""mask" >> "score""#),
    (score ^ bonus, #"(~("score" & "bonus")) & ("score" | "bonus")"#),
    (score ^ 2, #"(~("score" & 2)) & ("score" | 2)"#),
    (2 ^ score, #"(~(2 & "score")) & (2 | "score")"#),
  ]

  @Test("EXP-35…40: bits", arguments: masks)
  func bits(_ expression: SQLExpression, _ sql: String) throws {
    try expectSQL(expression, sql)
  }

  private static let memberships: [(SQLExpression, String)] = [
    ([1, 2, 3].contains(id), #""id" IN (1, 2, 3)"#),
    ([Int]().contains(id), #""id" IN ()"#),
    (![1, 2, 3].contains(id), #""id" NOT IN (1, 2, 3)"#),
    (!(![1].contains(id)), #""id" IN (1)"#),
    ((0...1000).contains(score), #""score" BETWEEN 0 AND 1000"#),
    (!(0...1000).contains(score), #""score" NOT BETWEEN 0 AND 1000"#),
    ((0..<1000).contains(score), #"("score" >= 0) AND ("score" < 1000)"#),
    (("A"..."N").contains(name), #""name" BETWEEN 'A' AND 'N'"#),
    (("A"..<"N").contains(name), #"("name" >= 'A') AND ("name" < 'N')"#),
    (([1, score] as [any SQLExpressible]).contains(id), #""id" IN (1, "score")"#),
  ]

  @Test("EXP-24…29: membership", arguments: memberships)
  func membership(_ expression: SQLExpression, _ sql: String) throws {
    try expectSQL(expression, sql)
  }

  private static let likes: [(SQLExpression, String)] = [
    (email.like("%@example.com"), #""email" LIKE '%@example.com'"#),
    (!email.like("%@example.com"), #""email" NOT LIKE '%@example.com'"#),
    (email.like("100\\%", escape: "\\"), #""email" LIKE '100\%' ESCAPE '\'"#),
    (email.glob("*.png"), #""email" GLOB '*.png'"#),
    (!email.glob("*.png"), #""email" NOT GLOB '*.png'"#),
  ]

  @Test("EXP-31, EXP-32, A-076: patterns", arguments: likes)
  func patterns(_ expression: SQLExpression, _ sql: String) throws {
    try expectSQL(expression, sql)
  }

  private static let collated: [(SQLExpression, String)] = [
    (name.collating(.nocase) == "arthur", #""name" = 'arthur' COLLATE NOCASE"#),
    (name.collating(.nocase) != "arthur", #""name" <> 'arthur' COLLATE NOCASE"#),
    (name.collating(.nocase) < email, #""name" < "email" COLLATE NOCASE"#),
    (["a"].contains(name.collating(.nocase)), #"("name" COLLATE NOCASE) IN ('a')"#),
    ((name + email).collating(.rtrim), #"("name" + "email") COLLATE RTRIM"#),
  ]

  @Test("EXP-43: collations", arguments: collated)
  func collations(_ expression: SQLExpression, _ sql: String) throws {
    try expectSQL(expression, sql)
  }

  @Test func `A collation decides what equals`() throws {
    try withLeague { db in
      try db.execute(sql: "INSERT INTO player (name) VALUES ('ARTHUR'), ('Zoe')")
      for condition in [
        name.collating(.nocase) == "arthur",
        ["arthur", "x"].contains(name.collating(.nocase)),
        ("a"..."b").contains(name.collating(.nocase)),
      ] {
        let found = try Int.fetchAll(
          db.makeStatement(literal: "SELECT id FROM player WHERE \(condition)")
        )
        #expect(found == [1])
      }
    }
  }

  private static let chained: [(SQLExpression, String)] = [
    ([score, bonus, id].joined(operator: .and), #""score" AND "bonus" AND "id""#),
    ([Column]().joined(operator: .and), "1"),
    ([Column]().joined(operator: .or), "0"),
    ([Column]().joined(operator: .concat), "''"),
    ([score].joined(operator: .add), #""score""#),
    ([score, bonus, id].joined(operator: .add), #""score" + "bonus" + "id""#),
    ([score, bonus].joined(operator: .multiply), #""score" * "bonus""#),
    ([score, bonus].joined(operator: .or), #""score" OR "bonus""#),
    ([score, bonus].joined(operator: .bitwiseAnd), #""score" & "bonus""#),
    ([score, bonus].joined(operator: .bitwiseOr), #""score" | "bonus""#),
    ([name, " ".databaseValue, email].joined(operator: .concat), #""name" || ' ' || "email""#),
  ]

  @Test("EXP-18, A-074: expressions joined by an operator", arguments: chained)
  func chains(_ expression: SQLExpression, _ sql: String) throws {
    try expectSQL(expression, sql)
  }

  @Test("STM-27: columns are quoted")
  func columns() throws {
    try expectSQL(Column("order"), #""order""#)
    try expectSQL(Column.rowID, #""rowid""#)
    try expectSQL(score.detached, #""score""#)
  }

  @Test("A-075: orderings")
  func orderings() throws {
    try expectSQL(ordering: score, #""score""#)
    try expectSQL(ordering: score.asc, #""score" ASC"#)
    try expectSQL(ordering: score.desc, #""score" DESC"#)
    try expectSQL(ordering: score.ascNullsLast, #""score" ASC NULLS LAST"#)
    try expectSQL(ordering: score.descNullsFirst, #""score" DESC NULLS FIRST"#)
    try expectSQL(ordering: name.collating(.nocase).desc, #""name" COLLATE NOCASE DESC"#)
    try expectSQL(ordering: SQL("random()"), "random()")
  }

  @Test("EXP-42, A-081: selections")
  func selections() throws {
    try expectSQL(selection: AllColumns(), "*")
    try expectSQL(
      selection: (height * 1.8 + 32).forKey("farenheit"),
      #"(("height" * 1.8) + 32) AS "farenheit""#
    )
    try expectSQL(selection: score.forKey("points"), #""score" AS "points""#)
  }

  @Test("VAL-10, VAL-11, EXP-46: dates are compared in the form in which they are stored")
  func dates() throws {
    let date = Date(timeIntervalSince1970: 1_416_314_730)
    try expectSQL(Column("createdAt") <= date, #""createdAt" <= '2014-11-18 12:45:30.000'"#)
    try expectSQL(
      (date...date.addingTimeInterval(1)).contains(Column("createdAt")),
      #""createdAt" BETWEEN '2014-11-18 12:45:30.000' AND '2014-11-18 12:45:31.000'"#
    )
  }

}
