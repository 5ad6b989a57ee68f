// Functions that build JSON of values. A value that is declared as JSON is embedded as JSON.

extension Database {
  /// Returns a JSON array of values.
  ///
  ///     Player.select { Database.jsonArray([$0.id, $0.name, $0.info]) }
  ///     // SELECT JSON_ARRAY("id", "name", JSON("info")) FROM "player"
  public static func jsonArray(_ values: [any SQLExpressible]) -> SQLExpression {
    .function("JSON_ARRAY", values.map(\.jsonArgument))
  }

  /// Returns a JSON array of values of one type.
  ///
  ///     Database.jsonArray(1...3)
  ///     // JSON_ARRAY(1, 2, 3)
  @_disfavoredOverload
  public static func jsonArray(_ values: some Collection<some SQLExpressible>) -> SQLExpression {
    .function("JSON_ARRAY", values.map(\.jsonArgument))
  }

  /// Returns a JSON object of names and values.
  ///
  ///     Player.select { Database.jsonObject(["id": $0.id, "name": $0.name]) }
  ///     // SELECT JSON_OBJECT('id', "id", 'name', "name") FROM "player"
  public static func jsonObject(
    _ elements: KeyValuePairs<String, any SQLExpressible>
  ) -> SQLExpression {
    .function("JSON_OBJECT", elements.jsonArguments)
  }

  /// Returns a JSON object of names and values. The names of a dictionary are sorted.
  ///
  ///     let elements: [String: any SQLExpressible] = ["name": Column("name"), "id": Column("id")]
  ///     Player.select(Database.jsonObject(elements))
  ///     // SELECT JSON_OBJECT('id', "id", 'name', "name") FROM "player"
  @_disfavoredOverload
  public static func jsonObject(
    _ elements: some Collection<(key: String, value: any SQLExpressible)>
  ) -> SQLExpression {
    .function("JSON_OBJECT", elements.jsonArguments)
  }

  /// Returns a JSON array of the values of many rows.
  ///
  ///     Player.select { Database.jsonGroupArray($0.name) }
  ///     // SELECT JSON_GROUP_ARRAY("name") FROM "player"
  public static func jsonGroupArray(
    _ value: some SQLExpressible,
    filter: (any SQLCondition)? = nil
  ) -> SQLExpression {
    .aggregate("JSON_GROUP_ARRAY", value.jsonArgument, filter: filter)
  }

  /// Returns a JSON object of the names and values of many rows.
  ///
  ///     Player.select { Database.jsonGroupObject(key: $0.name, value: $0.score) }
  ///     // SELECT JSON_GROUP_OBJECT("name", "score") FROM "player"
  public static func jsonGroupObject(
    key: some SQLExpressible,
    value: some SQLExpressible,
    filter: (any SQLCondition)? = nil
  ) -> SQLExpression {
    .aggregate("JSON_GROUP_OBJECT", key, value.jsonArgument, filter: filter)
  }
}

extension Collection<(key: String, value: any SQLExpressible)> {
  /// The keys, each followed by its value. A dictionary is sorted, so that equal dictionaries give
  /// equal SQL.
  var jsonArguments: [any SQLExpressible] {
    let pairs = Array(self)
    let sorted = self is [String: any SQLExpressible] ? pairs.sorted { $0.key < $1.key } : pairs
    return sorted.flatMap { [$0.key, $0.value.jsonArgument] as [any SQLExpressible] }
  }
}
