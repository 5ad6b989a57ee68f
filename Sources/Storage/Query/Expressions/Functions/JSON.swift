extension Database {
  /// A part of a JSON text, found by a path. https://www.sqlite.org/json1.html
  ///
  ///     Player.select { Database.jsonExtract($0.info, atPath: "$.address.city") }
  ///     // SELECT JSON_EXTRACT("info", '$.address.city') FROM "player"
  public static func jsonExtract(
    _ value: some SQLExpressible,
    atPath path: some SQLExpressible
  ) -> SQLExpression {
    .function("JSON_EXTRACT", value, path)
  }

  /// The number of elements of a JSON array; 0 for what is none.
  ///
  ///     Player.select { Database.jsonArrayLength($0.info) }
  ///     // SELECT JSON_ARRAY_LENGTH("info") FROM "player"
  public static func jsonArrayLength(_ value: some SQLExpressible) -> SQLExpression {
    .function("JSON_ARRAY_LENGTH", value)
  }

  /// A JSON text without spaces.
  ///
  ///     Player.select { Database.json($0.info) }
  ///     // SELECT JSON("info") FROM "player"
  public static func json(_ value: some SQLExpressible) -> SQLExpression {
    .function("JSON", value)
  }

  /// Whether a text is JSON.
  ///
  ///     Player.filter { Database.jsonIsValid($0.info) }
  ///     // SELECT * FROM "player" WHERE JSON_VALID("info")
  public static func jsonIsValid(_ value: some SQLExpressible) -> SQLExpression {
    .function("JSON_VALID", value)
  }

  /// The type of a JSON value: `object`, `array`, `text` …
  ///
  ///     Player.select { Database.jsonType($0.info) }
  ///     // SELECT JSON_TYPE("info") FROM "player"
  public static func jsonType(_ value: some SQLExpressible) -> SQLExpression {
    .function("JSON_TYPE", value)
  }

  /// A JSON array of values.
  ///
  ///     Player.select { Database.jsonArray([$0.id, $0.name]) }
  ///     // SELECT JSON_ARRAY("id", "name") FROM "player"
  public static func jsonArray(_ values: [any SQLExpressible]) -> SQLExpression {
    .function("JSON_ARRAY", values)
  }

  /// A JSON object of names and values.
  ///
  ///     Player.select { Database.jsonObject(["id": $0.id, "name": $0.name]) }
  ///     // SELECT JSON_OBJECT('id', "id", 'name', "name") FROM "player"
  public static func jsonObject(
    _ elements: KeyValuePairs<String, any SQLExpressible>
  ) -> SQLExpression {
    .function("JSON_OBJECT", elements.flatMap { [$0.key, $0.value] as [any SQLExpressible] })
  }

  /// A JSON array of the values of many rows.
  ///
  ///     Player.select { Database.jsonGroupArray($0.name) }
  ///     // SELECT JSON_GROUP_ARRAY("name") FROM "player"
  public static func jsonGroupArray(
    _ value: some SQLExpressible,
    filter: (any SQLCondition)? = nil
  ) -> SQLExpression {
    .aggregate("JSON_GROUP_ARRAY", value, filter: filter)
  }
}

extension SQLSpecificExpressible {
  /// A part of a JSON text, as the SQL value that it stands for: the `->>` operator.
  ///
  ///     Player.select { $0.info.jsonValue(at: "$.address.city") }
  ///     // SELECT "info" ->> '$.address.city' FROM "player"
  public func jsonValue(at path: some SQLExpressible) -> SQLExpression {
    .operation(.jsonValue, self, path)
  }

  /// A part of a JSON text, as JSON: the `->` operator.
  ///
  ///     Player.select { $0.info.jsonRepresentation(at: "$.address") }
  ///     // SELECT "info" -> '$.address' FROM "player"
  public func jsonRepresentation(at path: some SQLExpressible) -> SQLExpression {
    .operation(.json, self, path)
  }
}

/// A column that holds JSON.
///
///     static let info = JSONColumn("info")
///     Player.filter { $0.info["city"] == "Rome" }
///     // SELECT * FROM "player" WHERE ("info" ->> 'city') = 'Rome'
public struct JSONColumn: ColumnExpression, Sendable {
  /// The name of the column, without quotes.
  public let name: String

  /// Makes a column of its name.
  public init(_ name: String) {
    self.name = name
  }

  /// Makes a column of a coding key.
  public init(_ key: some CodingKey) {
    name = key.stringValue
  }

  /// The value of a key of the object, as an SQL value: the `->>` operator.
  ///
  ///     Player.select { $0.info["city"] }
  ///     // SELECT "info" ->> 'city' FROM "player"
  public subscript(_ key: some SQLExpressible) -> SQLExpression { jsonValue(at: key) }
}
