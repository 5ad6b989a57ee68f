/// A type that represents JSON: a ``JSONColumn``, or any expression that is declared as JSON.
///
///     JSONColumn("info")["city"]
///     // "info" ->> 'city'
///
///     Column("info").asJSON["city"]
///     // "info" ->> 'city'
///
/// Functions that build JSON embed such a value as JSON, where they embed other texts as strings:
///
///     Database.jsonArray([JSONColumn("info"), Column("name")])
///     // JSON_ARRAY(JSON("info"), "name")
public protocol SQLJSONExpressible: SQLSpecificExpressible {}

extension SQLJSONExpressible {
  /// The value of a key, as an SQL value: the `->>` operator. A number is the index of an element
  /// of an array, counted from the end if it is negative.
  ///
  ///     Player.select { $0.info["city"] }
  ///     // SELECT "info" ->> 'city' FROM "player"
  ///
  ///     Player.select { $0.info["a.b"] }
  ///     // SELECT "info" ->> '$."a.b"' FROM "player"
  ///
  /// A text is a key whatever its characters are, with all versions of SQLite. For a path, see
  /// ``SQLSpecificExpressible/jsonValue(at:)`` and ``jsonExtract(atPath:)``. A key with a quotation
  /// mark is an error, because SQLite before version 3.47 has no path for it.
  public subscript(_ key: some SQLExpressible) -> SQLExpression {
    jsonPart(.jsonValue, JSONStep(key, readsPaths: false))
  }

  /// Returns the part of the JSON at a path: the `JSON_EXTRACT` function.
  ///
  ///     Player.select { $0.info.jsonExtract(atPath: "$.address.city") }
  ///     // SELECT JSON_EXTRACT("info", '$.address.city') FROM "player"
  public func jsonExtract(atPath path: some SQLExpressible) -> SQLExpression {
    Database.jsonExtract(self, atPath: path)
  }

  /// Returns a JSON array of the parts at several paths: the `JSON_EXTRACT` function.
  ///
  ///     Player.select { $0.info.jsonExtract(atPaths: ["$.city", "$.zip"]) }
  ///     // SELECT JSON_EXTRACT("info", '$.city', '$.zip') FROM "player"
  public func jsonExtract(atPaths paths: some Collection<some SQLExpressible>) -> SQLExpression {
    Database.jsonExtract(self, atPaths: paths)
  }

  /// Returns the part of the JSON at a path, or the value of a key, as JSON: the `->` operator. A
  /// text that begins with `$` is a path, and any other text a key.
  ///
  ///     Player.select { $0.info.jsonRepresentation(atPath: "address") }
  ///     // SELECT "info" -> 'address' FROM "player"
  public func jsonRepresentation(atPath path: some SQLExpressible) -> AnySQLJSONExpressible {
    AnySQLJSONExpressible(jsonRepresentation(at: path))
  }
}

extension SQLSpecificExpressible {
  /// The expression, read as JSON.
  ///
  ///     Database.jsonObject(["info": Column("info").asJSON])
  ///     // JSON_OBJECT('info', JSON("info"))
  public var asJSON: AnySQLJSONExpressible {
    AnySQLJSONExpressible(SQLExpression(JSONText(expression: node)))
  }
}

extension TypedExpressible {
  /// The expression, read as JSON.
  ///
  ///     TypedColumn<String>("info").asJSON["city"]
  ///     // "info" ->> 'city'
  public var asJSON: AnySQLJSONExpressible { untyped.asJSON }
}
