extension Database {
  /// Returns the part of a JSON text at a path. https://www.sqlite.org/json1.html
  ///
  ///     Player.select { Database.jsonExtract($0.info, atPath: "$.address.city") }
  ///     // SELECT JSON_EXTRACT("info", '$.address.city') FROM "player"
  public static func jsonExtract(
    _ value: some SQLExpressible,
    atPath path: some SQLExpressible
  ) -> SQLExpression {
    .function("JSON_EXTRACT", value, path)
  }

  /// Returns the number of elements of a JSON array, or 0 for other JSON values.
  ///
  ///     Player.select { Database.jsonArrayLength($0.info) }
  ///     // SELECT JSON_ARRAY_LENGTH("info") FROM "player"
  public static func jsonArrayLength(_ value: some SQLExpressible) -> SQLExpression {
    .function("JSON_ARRAY_LENGTH", value)
  }

  /// Minifies a JSON text.
  ///
  ///     Player.select { Database.json($0.info) }
  ///     // SELECT JSON("info") FROM "player"
  public static func json(_ value: some SQLExpressible) -> SQLExpression {
    .function("JSON", value)
  }

  /// Returns whether a text is valid JSON.
  ///
  ///     Player.filter { Database.jsonIsValid($0.info) }
  ///     // SELECT * FROM "player" WHERE JSON_VALID("info")
  public static func jsonIsValid(_ value: some SQLExpressible) -> SQLExpression {
    .function("JSON_VALID", value)
  }

  /// Returns the type of a JSON value: `object`, `array`, `text` …
  ///
  ///     Player.select { Database.jsonType($0.info) }
  ///     // SELECT JSON_TYPE("info") FROM "player"
  public static func jsonType(_ value: some SQLExpressible) -> SQLExpression {
    .function("JSON_TYPE", value)
  }

  /// Returns a JSON array of values.
  ///
  ///     Player.select { Database.jsonArray([$0.id, $0.name]) }
  ///     // SELECT JSON_ARRAY("id", "name") FROM "player"
  public static func jsonArray(_ values: [any SQLExpressible]) -> SQLExpression {
    .function("JSON_ARRAY", values)
  }

  /// Returns a JSON object of names and values.
  ///
  ///     Player.select { Database.jsonObject(["id": $0.id, "name": $0.name]) }
  ///     // SELECT JSON_OBJECT('id', "id", 'name', "name") FROM "player"
  public static func jsonObject(
    _ elements: KeyValuePairs<String, any SQLExpressible>
  ) -> SQLExpression {
    .function("JSON_OBJECT", elements.flatMap { [$0.key, $0.value] as [any SQLExpressible] })
  }

  /// Returns a JSON array of the values of many rows.
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
  /// Returns the part of a JSON text at a path, as an SQL value: the `->>` operator.
  ///
  ///     Player.select { $0.info.jsonValue(at: "$.address.city") }
  ///     // SELECT "info" ->> '$.address.city' FROM "player"
  public func jsonValue(at path: some SQLExpressible) -> SQLExpression {
    .operation(.jsonValue, self, path)
  }

  /// Returns the part of a JSON text at a path, as JSON: the `->` operator.
  ///
  ///     Player.select { $0.info.jsonRepresentation(at: "$.address") }
  ///     // SELECT "info" -> '$.address' FROM "player"
  public func jsonRepresentation(at path: some SQLExpressible) -> SQLExpression {
    .operation(.json, self, path)
  }
}
