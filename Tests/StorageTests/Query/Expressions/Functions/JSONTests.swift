import Storage
import Testing

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
  ]

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
