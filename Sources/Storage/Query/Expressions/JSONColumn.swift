/// A column that holds JSON.
///
///     static let info = JSONColumn("info")
///     Player.filter { $0.info["city"] == "Rome" }
///     // SELECT * FROM "player" WHERE ("info" ->> 'city') = 'Rome'
public struct JSONColumn: ColumnExpression, Sendable {
  /// The name of the column, without quotes.
  public let name: String

  /// Creates a column from its name.
  public init(_ name: String) {
    self.name = name
  }

  /// Creates a column named after a coding key.
  public init(_ key: some CodingKey) {
    name = key.stringValue
  }

  /// The value of a key of the JSON object, as an SQL value: the `->>` operator.
  ///
  ///     Player.select { $0.info["city"] }
  ///     // SELECT "info" ->> 'city' FROM "player"
  public subscript(_ key: some SQLExpressible) -> SQLExpression { jsonValue(at: key) }
}
