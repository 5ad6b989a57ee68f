import Foundation
import Storage
import Testing

private let id = TypedColumn<Int64>("id")
private let name = TypedColumn<String>("name")
private let email = TypedColumn<String?>("email")
private let score = TypedColumn<Int>("score")
private let bonus = TypedColumn<Int?>("bonus")
private let mask = TypedColumn<Int>("mask")
private let height = TypedColumn<Double>("height")
private let isActive = TypedColumn<Bool>("isActive")

@Suite struct TypedColumnTests {
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
    (name.glob("*x"), #""name" GLOB '*x'"#),
    (name.collating(.nocase) == "arthur", #""name" = 'arthur' COLLATE NOCASE"#),
    (max(score) > 5, #"MAX("score") > 5"#),
    (isActive == true, #""isActive" = 1"#),
  ]

  @Test("TYP-01…06: conditions of typed columns", arguments: conditions)
  func condition(_ expression: TypedExpression<Bool>, _ sql: String) throws {
    try expectSQL(expression, sql)
  }

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
    (count(email), #"COUNT("email")"#),
  ]

  @Test("TYP-07, TYP-11, EXP-15: calculations", arguments: numbers)
  func number(_ expression: TypedExpression<Int>, _ sql: String) throws {
    try expectSQL(expression, sql)
  }

  @Test("TYP-08, TYP-10, C-07: strings are concatenated")
  func strings() throws {
    try expectSQL(name + " b", #""name" || ' b'"#)
    try expectSQL(
      name + " is " + cast(score, as: String.self),
      #""name" || ' is ' || CAST("score" AS TEXT)"#
    )
    try expectSQL(average(score), #"AVG("score")"#)
    try expectSQL(total(score), #"TOTAL("score")"#)
    try expectSQL(sum(bonus), #"SUM("bonus")"#)
    try expectSQL(min(height), #"MIN("height")"#)
    try expectSQL(length(name), #"LENGTH("name")"#)
  }

  @Test("C-25: types are left by `untyped`, and mix with untyped columns")
  func untyped() throws {
    try expectSQL(id.untyped == "twelve", #""id" = 'twelve'"#)
    try expectSQL(isActive && Column("score") > 1, #""isActive" AND ("score" > 1)"#)
    try expectSQL(!isActive || score > 1, #"(NOT "isActive") OR ("score" > 1)"#)
  }

  private static let assigned: [(ColumnAssignment, String)] = [
    (score.set(to: 1), #""score" = 1"#),
    (email.set(to: nil), #""email" = NULL"#),
    (score.set(to: score + 1), #""score" = "score" + 1"#),
    (score += 2, #""score" = "score" + 2"#),
    (score -= 2, #""score" = "score" - 2"#),
    (score *= 2, #""score" = "score" * 2"#),
    (score /= 2, #""score" = "score" / 2"#),
    (score %= 2, #""score" = "score" % 2"#),
    (mask &= 2, #""mask" = "mask" & 2"#),
    (mask |= 2, #""mask" = "mask" | 2"#),
    (mask ^= 2, #""mask" = (~("mask" & 2)) & ("mask" | 2)"#),
    (mask <<= 2, #""mask" = "mask" << 2"#),
    (mask >>= 2, #""mask" = "mask" >> 2"#),
    (name += " Jr.", #""name" = "name" || ' Jr.'"#),
  ]

  @Test("TYP-12, DML-28: assignments", arguments: assigned)
  func assignment(_ assignment: ColumnAssignment, _ sql: String) throws {
    try withLeague { db in
      try expectSQL(db, #"UPDATE "player" SET \#(sql)"#) {
        _ = try Player.updateAll(db, assignment)
      }
    }
  }

  @Test("TYP-01, TYP-06, TYP-09, ROW-07: in requests and in rows")
  func requests() throws {
    struct Scored: TableRecord {
      static let databaseTableName = "player"
      enum Columns {
        static let name = TypedColumn<String>("name")
        static let score = TypedColumn<Int?>("score")
        static let isActive = TypedColumn<Bool>("isActive")
      }
    }
    try expectSQL(
      request: Scored.filter { $0.score > 5 && $0.isActive }.order(\.name.desc)
        .select { [$0.name, $0.score] },
      """
      SELECT "name", "score" FROM "player" WHERE ("score" > 5) AND "isActive" \
      ORDER BY "name" DESC
      """
    )
    try expectSQL(
      request: Scored.filter(\.isActive).group(\.name),
      #"SELECT * FROM "player" WHERE "isActive" GROUP BY "name""#
    )
    try withPlayers { db in
      let row = try #require(try Table("player").order(Column("id")).fetchOne(db))
      #expect(row[name] == "Arthur")
      #expect(row[bonus] == nil)
      let decoded = try row.decode(score)
      #expect(decoded == 100)
      #expect(row[Player.Columns.name] == "Arthur")
    }
  }
}
