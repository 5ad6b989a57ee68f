import Foundation
import Storage
import Testing

@testable import StorageTestSupport

// Examples from doc comments. DocumentedSQLTests runs them.

extension Examples {
  func typedColumnExamples1() throws {
    try check(#""score" + 10"#, TypedColumn<Int>("score") + 10)
    try check(#""name" || ' Jr.'"#, TypedColumn<String>("name") + " Jr.")
    try check(#"10 + "score""#, 10 + TypedColumn<Int>("score"))
    try check(#""score" + "other""#, TypedColumn<Int>("score") + TypedColumn<Int>("other"))
    try check(#""score" - 10"#, TypedColumn<Int>("score") - 10)
    try check(#"10 - "score""#, 10 - TypedColumn<Int>("score"))
    try check(#""score" - "other""#, TypedColumn<Int>("score") - TypedColumn<Int>("other"))
    try check(#""score" * 10"#, TypedColumn<Int>("score") * 10)
    try check(#"10 * "score""#, 10 * TypedColumn<Int>("score"))
    try check(#""score" * "other""#, TypedColumn<Int>("score") * TypedColumn<Int>("other"))
    try check(#""score" / 10"#, TypedColumn<Int>("score") / 10)
    try check(#"10 / "score""#, 10 / TypedColumn<Int>("score"))
    try check(#""score" / "other""#, TypedColumn<Int>("score") / TypedColumn<Int>("other"))
    try check(#""score" % 10"#, TypedColumn<Int>("score") % 10)
    try check(#"10 % "score""#, 10 % TypedColumn<Int>("score"))
    try check(#""score" % "other""#, TypedColumn<Int>("score") % TypedColumn<Int>("other"))
    try check(#"-"score""#, -TypedColumn<Int>("score"))
    try check(#"~"mask""#, ~TypedColumn<Int>("mask"))
    try check(#"IFNULL("name", 'Anonymous')"#, TypedColumn<String?>("name") ?? "Anonymous")
    try check(#""info" ->> 0"#, TypedColumn<[String]>("info")[0])
    try check(
      #"JSON_EXTRACT("info", '$[0]')"#,
      TypedColumn<[String]>("info").json.jsonExtract(atPath: "$[0]")
    )
    try run(#"UPDATE "player" SET "score" = 100"#) {
      _ = try Player.updateAll(db) { $0.score.set(to: 100) }
    }
    try run(#"UPDATE "player" SET "score" = "bonus" * 2"#) {
      _ = try Player.updateAll(db) { $0.score.set(to: $0.bonus * 2) }
    }
    try run(#"UPDATE "player" SET "score" = "score" + 2"#) {
      _ = try Player.updateAll(db) { $0.score += 2 }
    }
    try run(#"UPDATE "player" SET "score" = "score" - 2"#) {
      _ = try Player.updateAll(db) { $0.score -= 2 }
    }
    try run(#"UPDATE "player" SET "score" = "score" & 2"#) {
      _ = try Player.updateAll(db) { $0.score &= 2 }
    }
    try run(#"UPDATE "player" SET "score" = "score" | 2"#) {
      _ = try Player.updateAll(db) { $0.score |= 2 }
    }
    try run(#"UPDATE "player" SET "score" = (~("score" & 2)) & ("score" | 2)"#) {
      _ = try Player.updateAll(db) { $0.score ^= 2 }
    }
    try run(#"UPDATE "player" SET "score" = "score" << 2"#) {
      _ = try Player.updateAll(db) { $0.score <<= 2 }
    }
    try run(#"UPDATE "player" SET "score" = "score" >> 2"#) {
      _ = try Player.updateAll(db) { $0.score >>= 2 }
    }
    try check(#""mask" & 2"#, TypedColumn<Int>("mask") & 2)
    try check(#"2 & "mask""#, 2 & TypedColumn<Int>("mask"))
    try check(#""mask" & "other""#, TypedColumn<Int>("mask") & TypedColumn<Int>("other"))
    try check(#""mask" | 2"#, TypedColumn<Int>("mask") | 2)
    try check(#"2 | "mask""#, 2 | TypedColumn<Int>("mask"))
    try check(#""mask" | "other""#, TypedColumn<Int>("mask") | TypedColumn<Int>("other"))
    try check(#""mask" << 2"#, TypedColumn<Int>("mask") << 2)
    try check(#"2 << "mask""#, 2 << TypedColumn<Int>("mask"))
    try check(#""mask" << "other""#, TypedColumn<Int>("mask") << TypedColumn<Int>("other"))
    try check(#""mask" >> 2"#, TypedColumn<Int>("mask") >> 2)
    try check(#"2 >> "mask""#, 2 >> TypedColumn<Int>("mask"))
    try check(#""mask" >> "other""#, TypedColumn<Int>("mask") >> TypedColumn<Int>("other"))
    try check(#"(~("mask" & 2)) & ("mask" | 2)"#, TypedColumn<Int>("mask") ^ 2)
    try check(#"(~(2 & "mask")) & (2 | "mask")"#, 2 ^ TypedColumn<Int>("mask"))
    try check(
      #"(~("mask" & "other")) & ("mask" | "other")"#,
      TypedColumn<Int>("mask") ^ TypedColumn<Int>("other")
    )
    try check(#""score" = 1000"#, TypedColumn<Int>("score") == 1000)
  }

  func typedColumnExamples2() throws {
    try check(#"1000 = "score""#, 1000 == TypedColumn<Int>("score"))
    try check(#""score" = "bonus""#, TypedColumn<Int>("score") == TypedColumn<Int?>("bonus"))
    try check(#""score" IS NULL"#, TypedColumn<Int>("score") == nil)
    try check(#""score" <> 1000"#, TypedColumn<Int>("score") != 1000)
    try check(#"1000 <> "score""#, 1000 != TypedColumn<Int>("score"))
    try check(#""score" <> "bonus""#, TypedColumn<Int>("score") != TypedColumn<Int?>("bonus"))
    try check(#""score" IS NOT NULL"#, TypedColumn<Int>("score") != nil)
    try check(#""score" < 1000"#, TypedColumn<Int>("score") < 1000)
    try check(#"1000 < "score""#, 1000 < TypedColumn<Int>("score"))
    try check(#""score" < "bonus""#, TypedColumn<Int>("score") < TypedColumn<Int?>("bonus"))
    try check(#""score" <= 1000"#, TypedColumn<Int>("score") <= 1000)
    try check(#"1000 <= "score""#, 1000 <= TypedColumn<Int>("score"))
    try check(#""score" <= "bonus""#, TypedColumn<Int>("score") <= TypedColumn<Int?>("bonus"))
    try check(#""score" > 1000"#, TypedColumn<Int>("score") > 1000)
    try check(#"1000 > "score""#, 1000 > TypedColumn<Int>("score"))
    try check(#""score" > "bonus""#, TypedColumn<Int>("score") > TypedColumn<Int?>("bonus"))
    try check(#""score" >= 1000"#, TypedColumn<Int>("score") >= 1000)
    try check(#"1000 >= "score""#, 1000 >= TypedColumn<Int>("score"))
    try check(#""score" >= "bonus""#, TypedColumn<Int>("score") >= TypedColumn<Int?>("bonus"))
    try check(#""id" IN (1, 2, 3)"#, [1, 2, 3].contains(TypedColumn<Int>("id")))
    try check(
      #""id" IN (SELECT "playerID" FROM "award")"#,
      Table("award").select(Column("playerID")).contains(TypedColumn<Int>("id"))
    )
    try check(#""score" BETWEEN 0 AND 1000"#, (0...1000).contains(TypedColumn<Int>("score")))
    try check(
      #"("score" >= 0) AND ("score" < 1000)"#,
      (0..<1000).contains(TypedColumn<Int>("score"))
    )
    try check(#""email" LIKE '%@example.com'"#, TypedColumn<String>("email").like("%@example.com"))
    try check(#""path" GLOB '*.png'"#, TypedColumn<String>("path").glob("*.png"))
    try check(#""content" MATCH 'sqlite'"#, TypedColumn<String>("content").match("sqlite"))
    try check(
      #""name" = 'arthur' COLLATE NOCASE"#,
      TypedColumn<String>("name").collating(.nocase) == "arthur"
    )
    try check(
      #""name" = 'zoé' COLLATE swiftCaseInsensitiveCompare"#,
      TypedColumn<String>("name").collating(.caseInsensitiveCompare) == "zoé"
    )
    try check(#""id" = 'twelve'"#, TypedColumn<Int64>("id").untyped == "twelve")
    try check(#"SELECT "name" FROM "player""#, Player.select(TypedColumn<String>("name")))
    try check(#"SELECT * FROM "player" ORDER BY "name""#, Player.order(TypedColumn<String>("name")))
    try check(
      #"SELECT * FROM "player" ORDER BY "score" ASC"#,
      Player.order(TypedColumn<Int>("score").asc)
    )
    try check(
      #"SELECT * FROM "player" ORDER BY "score" DESC"#,
      Player.order(TypedColumn<Int>("score").desc)
    )
    try check(
      #"SELECT "score" AS "points" FROM "player""#,
      Player.select(TypedColumn<Int>("score").forKey("points"))
    )
    try check(#"(LENGTH(name)) > 3"#, TypedExpression<Int>(SQL("LENGTH(name)")) > 3)
    try check(#"CAST("age" AS TEXT)"#, cast(TypedColumn<Int>("age"), as: String?.self))
    try check(#""createdAt""#, cast(TypedColumn<String>("createdAt"), as: Date.self))
    try check(#"SELECT SUM("score") FROM "player""#, Player.select { sum($0.score) })
    try check(
      #"SELECT COUNT(DISTINCT "email") FROM "player""#,
      Player.select { count(distinct: $0.email) }
    )
    try check(#"TRIM("name")"#, trim(TypedColumn<String>("name")))
    try check(#"REPLACE("email", '@', ' at ')"#, replace(TypedColumn<String>("email"), "@", " at "))
    try check(#"SUBSTR("name", 1, 3)"#, substr(TypedColumn<String>("name"), 1, 3))
    try check(#"ABS("score")"#, abs(TypedColumn<Int>("score")))
    try check(#"ROUND("height", 1)"#, round(TypedColumn<Double>("height"), 1))
    try check(
      #"IFNULL("bonus", "score") > 9"#,
      (TypedColumn<Int?>("bonus") ?? TypedColumn<Int>("score")) > 9
    )
    try check(#""score" + 1"#, SQL(TypedColumn<Int>("score") + 1))
    try check(
      #""email" LIKE ('%@' || "domain")"#,
      TypedColumn<String>("email").like("%@" + TypedColumn<String>("domain"))
    )
    try check(
      #""path" GLOB ("folder" || '/*')"#,
      TypedColumn<String>("path").glob(TypedColumn<String>("folder") + "/*")
    )
    try check(#""name" REGEXP '^A'"#, TypedColumn<String>("name").regexp("^A"))
    try check(#"CAST("age" AS TEXT)"#, cast(TypedColumn<Int>("age"), as: .text))
    try check(#""score" IS 1000"#, TypedColumn<Int?>("score") === 1000)
    try check(#"1000 IS "score""#, 1000 === TypedColumn<Int?>("score"))
    try check(#""score" IS "bonus""#, TypedColumn<Int>("score") === TypedColumn<Int?>("bonus"))
    try check(#""score" IS NOT 1000"#, TypedColumn<Int?>("score") !== 1000)
    try check(#"1000 IS NOT "score""#, 1000 !== TypedColumn<Int?>("score"))
    try check(#""score" IS NOT "bonus""#, TypedColumn<Int>("score") !== TypedColumn<Int?>("bonus"))
    try check(
      #"SELECT * FROM "player" ORDER BY "score" ASC NULLS LAST"#,
      Player.order(TypedColumn<Int?>("score").ascNullsLast)
    )
    try check(
      #"SELECT * FROM "player" ORDER BY "score" DESC NULLS FIRST"#,
      Player.order(TypedColumn<Int?>("score").descNullsFirst)
    )
    try run(#"UPDATE "player" SET "score" = "score" + "bonus""#) {
      _ = try Player.updateAll(db) { $0.score += $0.bonus }
    }
    try run(#"UPDATE "player" SET "score" = "score" - "bonus""#) {
      _ = try Player.updateAll(db) { $0.score -= $0.bonus }
    }
    try run(#"UPDATE "player" SET "score" = "score" * "bonus""#) {
      _ = try Player.updateAll(db) { $0.score *= $0.bonus }
    }
    try run(#"UPDATE "player" SET "score" = "score" / "bonus""#) {
      _ = try Player.updateAll(db) { $0.score /= $0.bonus }
    }
    try run(#"UPDATE "player" SET "score" = "score" % "bonus""#) {
      _ = try Player.updateAll(db) { $0.score %= $0.bonus }
    }
    try run(#"UPDATE "player" SET "score" = "score" & "bonus""#) {
      _ = try Player.updateAll(db) { $0.score &= $0.bonus }
    }
    try run(#"UPDATE "player" SET "score" = "score" | "bonus""#) {
      _ = try Player.updateAll(db) { $0.score |= $0.bonus }
    }
    try run(#"UPDATE "player" SET "score" = (~("score" & "bonus")) & ("score" | "bonus")"#) {
      _ = try Player.updateAll(db) { $0.score ^= $0.bonus }
    }
    try run(#"UPDATE "player" SET "score" = "score" << "bonus""#) {
      _ = try Player.updateAll(db) { $0.score <<= $0.bonus }
    }
    try run(#"UPDATE "player" SET "score" = "score" >> "bonus""#) {
      _ = try Player.updateAll(db) { $0.score >>= $0.bonus }
    }
    do {
      struct Player: Codable, PersistableRecord {
        var score: Int
        var isActive: Bool
      }
      try run(#"UPDATE "player" SET "isActive" = "isActive" AND ("score" > 10)"#) {
        _ = try Player.updateAll(db) { $0.isActive.set(to: $0.isActive && $0.score > 10) }
      }
      try run(#"UPDATE "player" SET "isActive" = NOT "isActive""#) {
        _ = try Player.updateAll(db, TypedColumn<Bool>("isActive").toggle())
      }
    }
  }
}
