import Storage
import Testing

@testable import StorageTestSupport

// Examples from doc comments. DocumentedSQLTests runs them.

extension Examples {
  func sqlFunctionExamples1() throws {
    try check(#"SELECT COUNT("email") FROM "player""#, Player.select { count($0.email) })
    try check(
      #"SELECT COUNT(DISTINCT "name") FROM "player""#,
      Player.select { count(distinct: $0.name) }
    )
    try check(
      #"SELECT "teamID", COUNT(*) FROM "player" GROUP BY "teamID""#,
      Player.select { [$0.teamID, count(.allColumns)] }.group(\.teamID)
    )
    try check(
      #"SELECT "teamID", COUNT(*) FROM "player" GROUP BY "teamID""#,
      Player.select { [$0.teamID, SQLExpression.countAll] }.group(\.teamID)
    )
    try check(#"SELECT AVG("score") FROM "player""#, Player.select { average($0.score) })
    try check(#"SELECT MIN("score") FROM "player""#, Player.select { min($0.score) })
    try check(#"SELECT MAX("score") FROM "player""#, Player.select { max($0.score) })
    try check(
      #"SELECT SUM("score") FILTER (WHERE "isActive") FROM "player""#,
      Player.select { sum($0.score, filter: $0.isActive) }
    )
    try check(#"SELECT TOTAL("score") FROM "player""#, Player.select { total($0.score) })
    try check(
      #"SELECT GROUP_CONCAT("name", '; ') FROM "player""#,
      Player.select { groupConcat($0.name, separator: "; ") }
    )
    try check(
      #"SELECT DATE("createdAt", 'start of month') FROM "player""#,
      Player.select { date($0.createdAt, .startOfMonth) }
    )
    try check(#"SELECT TIME("createdAt") FROM "player""#, Player.select { time($0.createdAt) })
    try check(
      #"SELECT DATETIME("createdAt", '1 days') FROM "player""#,
      Player.select { dateTime($0.createdAt, .day(1)) }
    )
    try check(
      #"SELECT JULIANDAY("createdAt") FROM "player""#,
      Player.select { julianDay($0.createdAt) }
    )
    try check(
      #"SELECT STRFTIME('%Y', "createdAt") FROM "player""#,
      Player.select { strftime("%Y", $0.createdAt) }
    )
    try check(
      #"SELECT JSON_EXTRACT("info", '$.address.city') FROM "player""#,
      Player.select { Database.jsonExtract($0.info, atPath: "$.address.city") }
    )
    try check(
      #"SELECT JSON_ARRAY_LENGTH("info") FROM "player""#,
      Player.select { Database.jsonArrayLength($0.info) }
    )
    try check(#"SELECT JSON("info") FROM "player""#, Player.select { Database.json($0.info) })
    try check(
      #"SELECT * FROM "player" WHERE JSON_VALID("info")"#,
      Player.filter { Database.jsonIsValid($0.info) }
    )
    try check(
      #"SELECT JSON_TYPE("info") FROM "player""#,
      Player.select { Database.jsonType($0.info) }
    )
    try check(
      #"SELECT JSON_ARRAY("id", "name", JSON("info")) FROM "player""#,
      Player.select { Database.jsonArray([$0.id, $0.name, $0.info]) }
    )
    try check(
      #"SELECT JSON_OBJECT('id', "id", 'name', "name") FROM "player""#,
      Player.select { Database.jsonObject(["id": $0.id, "name": $0.name]) }
    )
    try check(
      #"SELECT JSON_GROUP_ARRAY("name") FROM "player""#,
      Player.select { Database.jsonGroupArray($0.name) }
    )
    try check(
      #"SELECT "info" ->> '$.address.city' FROM "player""#,
      Player.select { $0.info.jsonValue(at: "$.address.city") }
    )
    try check(
      #"SELECT "info" -> '$.address' FROM "player""#,
      Player.select { $0.info.jsonRepresentation(at: "$.address") }
    )
    try check(#"SELECT "info" ->> 'city' FROM "player""#, Player.select { $0.info["city"] })
    try check(
      #"SELECT IFNULL("name", 'Anonymous') FROM "player""#,
      Player.select { $0.name ?? "Anonymous" }
    )
    try check(
      #"SELECT COALESCE("email", "name", 'Anonymous') FROM "player""#,
      Player.select { coalesce($0.email, $0.name, "Anonymous") }
    )
    try check(
      #"SELECT COALESCE("email", "name") FROM "player""#,
      Player.select { coalesce([$0.email, $0.name]) }
    )
    try check(#"SELECT NULLIF("name", '') FROM "player""#, Player.select { nullif($0.name, "") })
    try check(#"SELECT ABS("score") FROM "player""#, Player.select { abs($0.score) })
    try check(#"SELECT ROUND("height", 1) FROM "player""#, Player.select { round($0.height, 1) })
    try check(
      #"SELECT * FROM "player" ORDER BY RANDOM()"#,
      Player.order { _ in SQLExpression.random }
    )
    try check(
      #"SELECT MIN("score", "bonus", 100) FROM "player""#,
      Player.select { min($0.score, $0.bonus, 100) }
    )
    try check(
      #"SELECT MAX("score", "bonus", 100) FROM "player""#,
      Player.select { max($0.score, $0.bonus, 100) }
    )
    try check(#"SELECT LENGTH("name") FROM "player""#, Player.select { length($0.name) })
    try check(#"SELECT TRIM("name") FROM "player""#, Player.select { trim($0.name) })
    try check(
      #"SELECT TRIM("name", '-_') FROM "player""#,
      Player.select { trim($0.name, characters: "-_") }
    )
    try check(#"SELECT LTRIM("name") FROM "player""#, Player.select { trimLeft($0.name) })
    try check(#"SELECT RTRIM("name") FROM "player""#, Player.select { trimRight($0.name) })
    try check(
      #"SELECT REPLACE("email", '@', ' at ') FROM "player""#,
      Player.select { replace($0.email, "@", " at ") }
    )
    try check(
      #"SELECT SUBSTR("name", 1, 3) FROM "player""#,
      Player.select { substr($0.name, 1, 3) }
    )
    try check(#"SELECT INSTR("email", '@') FROM "player""#, Player.select { instr($0.email, "@") })
    try check(#"SELECT LOWER("name") FROM "player""#, Player.select { asciiLowercased($0.name) })
    try check(#"SELECT UPPER("name") FROM "player""#, Player.select { asciiUppercased($0.name) })
    try check(
      #"SELECT swiftCapitalizedString("name") FROM "player""#,
      Player.select { $0.name.capitalized }
    )
  }

  func sqlFunctionExamples2() throws {
    try check(
      #"SELECT * FROM "player" WHERE swiftLowercaseString("name") = 'zoé'"#,
      Player.filter { $0.name.lowercased == "zoé" }
    )
    try check(
      #"SELECT swiftUppercaseString("name") FROM "player""#,
      Player.select { $0.name.uppercased }
    )
    try check(
      #"SELECT swiftLocalizedCapitalizedString("name") FROM "player""#,
      Player.select { $0.name.localizedCapitalized }
    )
    try check(
      #"SELECT swiftLocalizedLowercaseString("name") FROM "player""#,
      Player.select { $0.name.localizedLowercased }
    )
    try check(
      #"SELECT swiftLocalizedUppercaseString("name") FROM "player""#,
      Player.select { $0.name.localizedUppercased }
    )
    try check(
      #"SELECT swiftCapitalizedString("name") FROM "player""#,
      Player.select(TypedColumn<String>("name").capitalized)
    )
    try check(
      #"SELECT * FROM "player" WHERE swiftLowercaseString("name") = 'zoé'"#,
      Player.filter(TypedColumn<String>("name").lowercased == "zoé")
    )
    try check(
      #"SELECT swiftUppercaseString("name") FROM "player""#,
      Player.select(TypedColumn<String>("name").uppercased)
    )
    try check(
      #"SELECT swiftLocalizedCapitalizedString("name") FROM "player""#,
      Player.select(TypedColumn<String>("name").localizedCapitalized)
    )
    try check(
      #"SELECT swiftLocalizedLowercaseString("name") FROM "player""#,
      Player.select(TypedColumn<String>("name").localizedLowercased)
    )
    try check(
      #"SELECT swiftLocalizedUppercaseString("name") FROM "player""#,
      Player.select(TypedColumn<String>("name").localizedUppercased)
    )
    try check(
      #"SELECT ROW_NUMBER() OVER (PARTITION BY "teamID" ORDER BY "score" DESC) FROM "player""#,
      Player.select { rowNumber().over(partitionBy: [$0.teamID], orderBy: [$0.score.desc]) }
    )
    try check(
      #"SELECT ROW_NUMBER() OVER (ORDER BY "score" DESC) FROM "player""#,
      Player.select { rowNumber().over(orderBy: [$0.score.desc]) }
    )
    try check(
      #"SELECT RANK() OVER (ORDER BY "score" DESC) FROM "player""#,
      Player.select { rank().over(orderBy: [$0.score.desc]) }
    )
    try check(
      #"SELECT DENSE_RANK() OVER (ORDER BY "score" DESC) FROM "player""#,
      Player.select { denseRank().over(orderBy: [$0.score.desc]) }
    )
    try check(
      #"SELECT PERCENT_RANK() OVER (ORDER BY "score") FROM "player""#,
      Player.select { percentRank().over(orderBy: [$0.score]) }
    )
    try check(
      #"SELECT CUME_DIST() OVER (ORDER BY "score") FROM "player""#,
      Player.select { cumeDist().over(orderBy: [$0.score]) }
    )
    try check(
      #"SELECT NTILE(4) OVER (ORDER BY "score") FROM "player""#,
      Player.select { ntile(4).over(orderBy: [$0.score]) }
    )
    try check(
      #"SELECT LAG("score", 1, 0) OVER (ORDER BY "id") FROM "player""#,
      Player.select { lag($0.score, 1, default: 0).over(orderBy: [$0.id]) }
    )
    try check(
      #"SELECT LEAD("score", 1) OVER (ORDER BY "id") FROM "player""#,
      Player.select { lead($0.score).over(orderBy: [$0.id]) }
    )
    try check(
      #"SELECT FIRST_VALUE("score") OVER (ORDER BY "id") FROM "player""#,
      Player.select { firstValue($0.score).over(orderBy: [$0.id]) }
    )
    try check(
      #"SELECT LAST_VALUE("score") OVER (ORDER BY "id") FROM "player""#,
      Player.select { lastValue($0.score).over(orderBy: [$0.id]) }
    )
  }
}
