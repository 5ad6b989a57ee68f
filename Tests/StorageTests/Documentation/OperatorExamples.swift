import Storage
import Testing

@testable import StorageTestSupport

// Examples from doc comments. DocumentedSQLTests runs them.

extension Examples {
  func operatorExamples1() throws {
    try check(
      #""a" AND "b" AND "c""#,
      [Column("a"), Column("b"), Column("c")].joined(operator: .and)
    )
    try check(#""a" || "b""#, ["a", "b"].map { Column($0) }.joined(operator: .concat))
    try check(#""a" || ' ' || "b""#, [Column("a"), " ", Column("b")].joined(operator: .concat))
    try check(#""score" + 10"#, Column("score") + 10)
    try check(#"10 + "score""#, 10 + Column("score"))
    try check(#""score" + "bonus""#, Column("score") + Column("bonus"))
    try check(#""score" - 10"#, Column("score") - 10)
    try check(#"10 - "score""#, 10 - Column("score"))
    try check(#""score" - "bonus""#, Column("score") - Column("bonus"))
    try check(#""score" * 10"#, Column("score") * 10)
    try check(#"10 * "score""#, 10 * Column("score"))
    try check(#""score" * "bonus""#, Column("score") * Column("bonus"))
    try check(#""score" / 10"#, Column("score") / 10)
    try check(#"10 / "score""#, 10 / Column("score"))
    try check(#""score" / "bonus""#, Column("score") / Column("bonus"))
    try check(#""score" % 10"#, Column("score") % 10)
    try check(#"10 % "score""#, 10 % Column("score"))
    try check(#""score" % "bonus""#, Column("score") % Column("bonus"))
    try check(#""score" BETWEEN 0 AND 1000"#, (0...1000).contains(Column("score")))
    try check(#"("score" >= 0) AND ("score" < 1000)"#, (0..<1000).contains(Column("score")))
    try check(#""mask" & 2"#, Column("mask") & 2)
    try check(#"2 & "mask""#, 2 & Column("mask"))
    try check(#""mask" & "other""#, Column("mask") & Column("other"))
    try check(#""mask" | 2"#, Column("mask") | 2)
    try check(#"2 | "mask""#, 2 | Column("mask"))
    try check(#""mask" | "other""#, Column("mask") | Column("other"))
    try check(#""mask" << 2"#, Column("mask") << 2)
    try check(#"2 << "mask""#, 2 << Column("mask"))
    try check(#""mask" << "other""#, Column("mask") << Column("other"))
    try check(#""mask" >> 2"#, Column("mask") >> 2)
    try check(#"2 >> "mask""#, 2 >> Column("mask"))
    try check(#""mask" >> "other""#, Column("mask") >> Column("other"))
    try check(#"(~("mask" & 2)) & ("mask" | 2)"#, Column("mask") ^ 2)
    try check(#"(~(2 & "mask")) & (2 | "mask")"#, 2 ^ Column("mask"))
    try check(#"(~("mask" & "other")) & ("mask" | "other")"#, Column("mask") ^ Column("other"))
    try check(#""name" = 'arthur' COLLATE NOCASE"#, Column("name").collating(.nocase) == "arthur")
    try check(
      #"SELECT * FROM "player" ORDER BY "name" COLLATE NOCASE DESC"#,
      Player.order { $0.name.collating(.nocase).desc }
    )
    try check(#""email" IS NULL"#, Column("email") == nil)
    try check(#""name" = 'Arthur'"#, Column("name") == "Arthur")
    try check(#"'Arthur' = "name""#, "Arthur" == Column("name"))
    try check(#""name" = "nickname""#, Column("name") == Column("nickname"))
    try check(#""name" <> 'Arthur'"#, Column("name") != "Arthur")
    try check(#"'Arthur' <> "name""#, "Arthur" != Column("name"))
    try check(#""name" <> "nickname""#, Column("name") != Column("nickname"))
    try check(#""email" IS NOT NULL"#, Column("email") != nil)
    try check(#""score" IS 1000"#, Column("score") === 1000)
    try check(#"1000 IS "score""#, 1000 === Column("score"))
    try check(#""score" IS "limit""#, Column("score") === Column("limit"))
  }

  func operatorExamples2() throws {
    try check(#""email" IS NULL"#, Column("email") === nil)
    try check(#""score" IS NOT 1000"#, Column("score") !== 1000)
    try check(#"1000 IS NOT "score""#, 1000 !== Column("score"))
    try check(#""score" IS NOT "limit""#, Column("score") !== Column("limit"))
    try check(#""email" IS NOT NULL"#, Column("email") !== nil)
    try check(#""email" LIKE '%@example.com'"#, Column("email").like("%@example.com"))
    try check(#""rate" LIKE '100\%' ESCAPE '\'"#, Column("rate").like("100\\%", escape: "\\"))
    try check(#""path" GLOB '*.png'"#, Column("path").glob("*.png"))
    try check(#""name" REGEXP '^A'"#, Column("name").regexp("^A"))
    try check(#""content" MATCH 'sqlite'"#, Column("content").match("sqlite"))
    try check(#""isActive" AND ("score" > 1000)"#, Column("isActive") && Column("score") > 1000)
    try check(#""isActive" OR ("score" > 1000)"#, Column("isActive") || Column("score") > 1000)
    try check(#"NOT "isActive""#, !Column("isActive"))
    try check(#""id" NOT IN (1, 2, 3)"#, ![1, 2, 3].contains(Column("id")))
    try check(#""id" IN (1, 2, 3)"#, [1, 2, 3].contains(Column("id")))
    try check(#""id" IN (1, "other")"#, [1, Column("other")].contains(Column("id")))
    try check(#""score" < 1000"#, Column("score") < 1000)
    try check(#"1000 < "score""#, 1000 < Column("score"))
    try check(#""score" < "limit""#, Column("score") < Column("limit"))
    try check(#""score" <= 1000"#, Column("score") <= 1000)
    try check(#"1000 <= "score""#, 1000 <= Column("score"))
    try check(#""score" <= "limit""#, Column("score") <= Column("limit"))
    try check(#""score" > 1000"#, Column("score") > 1000)
    try check(#"1000 > "score""#, 1000 > Column("score"))
    try check(#""score" > "limit""#, Column("score") > Column("limit"))
    try check(#""score" >= 1000"#, Column("score") >= 1000)
    try check(#"1000 >= "score""#, 1000 >= Column("score"))
    try check(#""score" >= "limit""#, Column("score") >= Column("limit"))
    try check(#"-"score""#, -Column("score"))
    try check(#"~"mask""#, ~Column("mask"))
  }
}
