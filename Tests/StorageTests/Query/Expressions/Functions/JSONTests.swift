import Storage
import Testing

@testable import StorageTestSupport

private let name = Column("name")
private let score = Column("score")

@Suite struct JSONTests {
  private static let calls: [(SQLExpression, String)] = [
    (Database.jsonExtract(name, atPath: "$.a"), #"JSON_EXTRACT("name", '$.a')"#),
    (Database.jsonArrayLength(name), #"JSON_ARRAY_LENGTH("name")"#),
    (Database.json(name), #"JSON("name")"#),
    (Database.jsonIsValid(name), #"JSON_VALID("name")"#),
    (Database.jsonType(name), #"JSON_TYPE("name")"#),
    (Database.jsonArray([score, 1]), #"JSON_ARRAY("score", 1)"#),
    (Database.jsonObject(["a": score]), #"JSON_OBJECT('a', "score")"#),
    (name.jsonValue(at: "$.a"), #""name" ->> '$.a'"#),
    (name.jsonRepresentation(at: "$.a"), #""name" -> '$.a'"#),
    (Database.jsonGroupArray(name), #"JSON_GROUP_ARRAY("name")"#),
    (Database.jsonExtract(name, atPaths: ["$.a", "$.b"]), #"JSON_EXTRACT("name", '$.a', '$.b')"#),
    (Database.jsonArrayLength(name, atPath: "$.a"), #"JSON_ARRAY_LENGTH("name", '$.a')"#),
    (Database.jsonType(name, atPath: "$.a"), #"JSON_TYPE("name", '$.a')"#),
    (Database.jsonQuote(name), #"JSON_QUOTE("name")"#),
    (Database.jsonPatch(name, with: "{}"), #"JSON_PATCH("name", '{}')"#),
    (Database.jsonRemove(name, atPath: "$.a"), #"JSON_REMOVE("name", '$.a')"#),
    (Database.jsonRemove(name, atPaths: ["$.a", "$.b"]), #"JSON_REMOVE("name", '$.a', '$.b')"#),
    (Database.jsonInsert(name, ["$.a": 1]), #"JSON_INSERT("name", '$.a', 1)"#),
    (Database.jsonReplace(name, ["$.a": score]), #"JSON_REPLACE("name", '$.a', "score")"#),
    (Database.jsonSet(name, ["$.b": 1, "$.a": 2]), #"JSON_SET("name", '$.a', 2, '$.b', 1)"#),
    (Database.jsonArray([1, 2]), "JSON_ARRAY(1, 2)"),
    (Database.jsonArray(1...2), "JSON_ARRAY(1, 2)"),
    (Database.jsonGroupObject(key: name, value: score), #"JSON_GROUP_OBJECT("name", "score")"#),
    (
      Database.jsonGroupObject(key: name, value: score, filter: score > 1),
      #"JSON_GROUP_OBJECT("name", "score") FILTER (WHERE "score" > 1)"#
    ),
  ]

  @Test func `an object has the order of its literal, or the order of a dictionary's keys`() throws
  {
    try expectSQL(Database.jsonObject(["b": 1, "a": 2]), "JSON_OBJECT('b', 1, 'a', 2)")
    let dictionary: [String: any SQLExpressible] = ["b": 1, "a": score]
    try expectSQL(Database.jsonObject(dictionary), #"JSON_OBJECT('a', "score", 'b', 1)"#)
  }

  private static let info = JSONColumn("name")

  private static let embedded: [(SQLExpression, String)] = [
    (Database.jsonArray([info, name]), #"JSON_ARRAY(JSON("name"), "name")"#),
    (Database.jsonArray([info, info]), #"JSON_ARRAY(JSON("name"), JSON("name"))"#),
    (Database.jsonObject(["i": info]), #"JSON_OBJECT('i', JSON("name"))"#),
    (Database.jsonGroupArray(info), #"JSON_GROUP_ARRAY(JSON("name"))"#),
    (Database.jsonGroupObject(key: name, value: info), #"JSON_GROUP_OBJECT("name", JSON("name"))"#),
    (Database.jsonSet("{}", ["$.a": info]), #"JSON_SET('{}', '$.a', JSON("name"))"#),
    (Database.jsonQuote(info), #"JSON_QUOTE(JSON("name"))"#),
    (Database.jsonArray([name.asJSON]), #"JSON_ARRAY(JSON("name"))"#),
    (Database.jsonArray(["[1]".databaseValue.asJSON]), "JSON_ARRAY(JSON('[1]'))"),
    (
      Database.jsonArray([TypedColumn<String>("name").asJSON]),
      #"JSON_ARRAY(JSON("name"))"#
    ),
    (
      Database.jsonArray([TableAlias(name: "player")[info]]),
      #"JSON_ARRAY(JSON("player"."name"))"#
    ),
    // The operator returns JSON, which needs no function.
    (
      Database.jsonArray([info.jsonRepresentation(atPath: "a")]),
      #"JSON_ARRAY("name" -> 'a')"#
    ),
    (Database.jsonExtract(info, atPath: "$.a"), #"JSON_EXTRACT("name", '$.a')"#),
    (info == "{}", #""name" = '{}'"#),
  ]

  @Test(arguments: embedded)
  func `JSON inside of JSON is embedded as JSON`(_ expression: SQLExpression, _ sql: String) throws
  {
    try expectSQL(expression, sql)
  }

  @Test func `a JSON expression gives access to its parts`() throws {
    for json: any SQLJSONExpressible in [Self.info, name.asJSON] {
      try expectSQL(json["a"], #""name" ->> 'a'"#)
      try expectSQL(json.jsonExtract(atPath: "$.a"), #"JSON_EXTRACT("name", '$.a')"#)
      try expectSQL(json.jsonExtract(atPaths: ["$.a"]), #"JSON_EXTRACT("name", '$.a')"#)
      try expectSQL(json.jsonRepresentation(atPath: "a")["b"], #"("name" -> 'a') ->> 'b'"#)
    }
  }

  @Test func `embedded JSON keeps its structure`() throws {
    try withLeague { db in
      try db.execute(literal: "INSERT INTO player (name) VALUES (\(#"{"a":[1]}"#))")
      let array = Database.jsonGroupArray(Self.info)
      let text = try String.fetchOne(db, Player.select(array))
      #expect(text == #"[{"a":[1]}]"#)
      try #expect(String.fetchOne(db, Player.select(Self.info.asJSON)) == #"{"a":[1]}"#)
    }
  }

  @Test func `the value of a selected JSON expression is found in its row`() throws {
    try withLeague { db in
      try db.execute(literal: "INSERT INTO player (name) VALUES (\("[1]"))")
      let json = name.asJSON
      let row = try #require(try Row.fetchOne(db, Player.select(json)))
      #expect(row[json.sqlExpression] == "[1]")
    }
  }

  @Test(arguments: calls)
  func `A-091: JSON functions are written as calls`(_ expression: SQLExpression, _ sql: String)
    throws
  {
    try expectSQL(expression, sql)
  }

  private static let results: [(SQLExpression, String)] = [
    (Database.jsonExtract(#"{"a":5}"#, atPath: "$.a"), "5"),
    (Database.jsonArrayLength("[1,2]"), "2"),
    (Database.jsonIsValid(name), "0"),
    (Database.jsonType("[1,2]"), "'array'"),
    (Database.jsonArray([score, 1]), "'[100,1]'"),
    (Database.jsonObject(["a": score]), #"'{"a":100}'"#),
    (#"{"a":5}"#.databaseValue.jsonValue(at: "$.a"), "5"),
    (Database.jsonGroupArray(name), #"'["Arthur"]'"#),
  ]

  @Test(arguments: results)
  func `A-091: JSON functions read and build JSON`(_ expression: SQLExpression, _ value: String)
    throws
  {
    try expectValue(expression, value)
  }
}
