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

  /// Returns a JSON array of the parts of a JSON text at several paths.
  ///
  ///     Player.select { Database.jsonExtract($0.info, atPaths: ["$.city", "$.zip"]) }
  ///     // SELECT JSON_EXTRACT("info", '$.city', '$.zip') FROM "player"
  public static func jsonExtract(
    _ value: some SQLExpressible,
    atPaths paths: some Collection<some SQLExpressible>
  ) -> SQLExpression {
    .function("JSON_EXTRACT", [value] + Array(paths))
  }

  /// Returns the number of elements of a JSON array, or 0 for other JSON values.
  ///
  ///     Player.select { Database.jsonArrayLength($0.info) }
  ///     // SELECT JSON_ARRAY_LENGTH("info") FROM "player"
  public static func jsonArrayLength(_ value: some SQLExpressible) -> SQLExpression {
    .function("JSON_ARRAY_LENGTH", value)
  }

  /// Returns the number of elements of the JSON array at a path.
  ///
  ///     Player.select { Database.jsonArrayLength($0.info, atPath: "$.tags") }
  ///     // SELECT JSON_ARRAY_LENGTH("info", '$.tags') FROM "player"
  public static func jsonArrayLength(
    _ value: some SQLExpressible,
    atPath path: some SQLExpressible
  ) -> SQLExpression {
    .function("JSON_ARRAY_LENGTH", value, path)
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

  /// Returns the type of the JSON value at a path.
  ///
  ///     Player.select { Database.jsonType($0.info, atPath: "$.address") }
  ///     // SELECT JSON_TYPE("info", '$.address') FROM "player"
  public static func jsonType(
    _ value: some SQLExpressible,
    atPath path: some SQLExpressible
  ) -> SQLExpression {
    .function("JSON_TYPE", value, path)
  }

  /// Returns the JSON of an SQL value: a text becomes a JSON string.
  ///
  ///     Player.select { Database.jsonQuote($0.name) }
  ///     // SELECT JSON_QUOTE("name") FROM "player"
  public static func jsonQuote(_ value: some SQLExpressible) -> SQLExpression {
    .function("JSON_QUOTE", value.jsonArgument)
  }
}

extension TypedExpressible where Value.Unwrapped == String {
  /// Returns the part of a JSON text at a path, as an SQL value: the `->>` operator. A text that
  /// does not begin with `$` is a key, with all versions of SQLite.
  ///
  ///     Player.select { $0.info.jsonValue(at: "$.address.city") }
  ///     // SELECT "info" ->> '$.address.city' FROM "player"
  public func jsonValue(at path: some SQLExpressible) -> SQLExpression {
    untyped.jsonValue(at: path)
  }

  /// Returns the part of a JSON text at a path, as JSON: the `->` operator. A text that does not
  /// begin with `$` is a key, with all versions of SQLite.
  ///
  ///     Player.select { $0.info.jsonRepresentation(at: "$.address") }
  ///     // SELECT "info" -> '$.address' FROM "player"
  public func jsonRepresentation(at path: some SQLExpressible) -> SQLExpression {
    untyped.jsonRepresentation(at: path)
  }
}

extension SQLSpecificExpressible {
  /// Returns the part of a JSON text at a path, as an SQL value: the `->>` operator. A text that
  /// does not begin with `$` is a key, with all versions of SQLite.
  ///
  ///     Player.select { $0.info.jsonValue(at: "$.address.city") }
  ///     // SELECT "info" ->> '$.address.city' FROM "player"
  public func jsonValue(at path: some SQLExpressible) -> SQLExpression {
    jsonPart(.jsonValue, JSONStep(path, readsPaths: true))
  }

  /// Returns the part of a JSON text at a path, as JSON: the `->` operator. A text that does not
  /// begin with `$` is a key, with all versions of SQLite.
  ///
  ///     Player.select { $0.info.jsonRepresentation(at: "$.address") }
  ///     // SELECT "info" -> '$.address' FROM "player"
  public func jsonRepresentation(at path: some SQLExpressible) -> SQLExpression {
    jsonPart(.json, JSONStep(path, readsPaths: true))
  }
}

// Functions that change a JSON text. The paths of a dictionary are written in sorted order.

extension Database {
  /// Adds values to a JSON text at paths that do not exist yet.
  ///
  ///     Player.select { Database.jsonInsert($0.info, ["$.city": "Rome"]) }
  ///     // SELECT JSON_INSERT("info", '$.city', 'Rome') FROM "player"
  public static func jsonInsert(
    _ value: some SQLExpressible,
    _ assignments: some Collection<(key: String, value: any SQLExpressible)>
  ) -> SQLExpression {
    .function("JSON_INSERT", [value] + assignments.jsonArguments)
  }

  /// Replaces the values of a JSON text at paths that exist.
  ///
  ///     Player.select { Database.jsonReplace($0.info, ["$.city": "Rome"]) }
  ///     // SELECT JSON_REPLACE("info", '$.city', 'Rome') FROM "player"
  public static func jsonReplace(
    _ value: some SQLExpressible,
    _ assignments: some Collection<(key: String, value: any SQLExpressible)>
  ) -> SQLExpression {
    .function("JSON_REPLACE", [value] + assignments.jsonArguments)
  }

  /// Sets the values of a JSON text at paths, whether they exist or not.
  ///
  ///     Player.select { Database.jsonSet($0.info, ["$.city": "Rome"]) }
  ///     // SELECT JSON_SET("info", '$.city', 'Rome') FROM "player"
  public static func jsonSet(
    _ value: some SQLExpressible,
    _ assignments: some Collection<(key: String, value: any SQLExpressible)>
  ) -> SQLExpression {
    .function("JSON_SET", [value] + assignments.jsonArguments)
  }

  /// Merges a JSON object into another one. A null removes its key.
  ///
  ///     Player.select { Database.jsonPatch($0.info, with: #"{"city": null}"#) }
  ///     // SELECT JSON_PATCH("info", '{"city": null}') FROM "player"
  public static func jsonPatch(
    _ value: some SQLExpressible,
    with patch: some SQLExpressible
  ) -> SQLExpression {
    .function("JSON_PATCH", value, patch)
  }

  /// Removes the part of a JSON text at a path.
  ///
  ///     Player.select { Database.jsonRemove($0.info, atPath: "$.city") }
  ///     // SELECT JSON_REMOVE("info", '$.city') FROM "player"
  public static func jsonRemove(
    _ value: some SQLExpressible,
    atPath path: some SQLExpressible
  ) -> SQLExpression {
    .function("JSON_REMOVE", value, path)
  }

  /// Removes the parts of a JSON text at several paths.
  ///
  ///     Player.select { Database.jsonRemove($0.info, atPaths: ["$.city", "$.zip"]) }
  ///     // SELECT JSON_REMOVE("info", '$.city', '$.zip') FROM "player"
  public static func jsonRemove(
    _ value: some SQLExpressible,
    atPaths paths: some Collection<some SQLExpressible>
  ) -> SQLExpression {
    .function("JSON_REMOVE", [value] + Array(paths))
  }
}
