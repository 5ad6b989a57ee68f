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
