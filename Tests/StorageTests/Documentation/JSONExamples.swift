import Storage
import Testing

@testable import StorageTestSupport

// Examples from doc comments. DocumentedSQLTests runs them.

extension Examples {
  func jsonExamples() throws {
    try check(
      #"SELECT "info" ->> '$."a.b"' FROM "player""#,
      Player.select { $0.info["a.b"] }
    )
    try check(
      #"SELECT JSON_EXTRACT("info", '$.city', '$.zip') FROM "player""#,
      Player.select { Database.jsonExtract($0.info, atPaths: ["$.city", "$.zip"]) }
    )
    try check(
      #"SELECT JSON_ARRAY_LENGTH("info", '$.tags') FROM "player""#,
      Player.select { Database.jsonArrayLength($0.info, atPath: "$.tags") }
    )
    try check(
      #"SELECT JSON_TYPE("info", '$.address') FROM "player""#,
      Player.select { Database.jsonType($0.info, atPath: "$.address") }
    )
    try check(
      #"SELECT JSON_QUOTE("name") FROM "player""#,
      Player.select { Database.jsonQuote($0.name) }
    )
    try check(
      #"SELECT JSON_INSERT("info", '$.city', 'Rome') FROM "player""#,
      Player.select { Database.jsonInsert($0.info, ["$.city": "Rome"]) }
    )
    try check(
      #"SELECT JSON_REPLACE("info", '$.city', 'Rome') FROM "player""#,
      Player.select { Database.jsonReplace($0.info, ["$.city": "Rome"]) }
    )
    try check(
      #"SELECT JSON_SET("info", '$.city', 'Rome') FROM "player""#,
      Player.select { Database.jsonSet($0.info, ["$.city": "Rome"]) }
    )
    try check(
      #"SELECT JSON_PATCH("info", '{"city": null}') FROM "player""#,
      Player.select { Database.jsonPatch($0.info, with: #"{"city": null}"#) }
    )
    try check(
      #"SELECT JSON_REMOVE("info", '$.city') FROM "player""#,
      Player.select { Database.jsonRemove($0.info, atPath: "$.city") }
    )
    try check(
      #"SELECT JSON_REMOVE("info", '$.city', '$.zip') FROM "player""#,
      Player.select { Database.jsonRemove($0.info, atPaths: ["$.city", "$.zip"]) }
    )
    try check(
      #"JSON_ARRAY(1, 2, 3)"#,
      Database.jsonArray(1...3)
    )
    try check(
      #"SELECT JSON_GROUP_OBJECT("name", "score") FROM "player""#,
      Player.select { Database.jsonGroupObject(key: $0.name, value: $0.score) }
    )
    try check(
      #""info" ->> 'city'"#,
      JSONColumn("info")["city"]
    )
    try check(
      #""info" ->> 'city'"#,
      Column("info").asJSON["city"]
    )
    try check(
      #"JSON_ARRAY(JSON("info"), "name")"#,
      Database.jsonArray([JSONColumn("info"), Column("name")])
    )
    try check(
      #"SELECT JSON_EXTRACT("info", '$.address.city') FROM "player""#,
      Player.select { $0.info.jsonExtract(atPath: "$.address.city") }
    )
    try check(
      #"SELECT JSON_EXTRACT("info", '$.city', '$.zip') FROM "player""#,
      Player.select { $0.info.jsonExtract(atPaths: ["$.city", "$.zip"]) }
    )
    try check(
      #"SELECT "info" -> 'address' FROM "player""#,
      Player.select { $0.info.jsonRepresentation(atPath: "address") }
    )
    try check(
      #"JSON_OBJECT('info', JSON("info"))"#,
      Database.jsonObject(["info": Column("info").asJSON])
    )
    try check(
      #""info" ->> 'city'"#,
      TypedColumn<String>("info").asJSON["city"]
    )
    try check(
      #""info""#,
      JSONColumn("info").sqlExpression
    )
  }
}
