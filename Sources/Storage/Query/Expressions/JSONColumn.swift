/// A column that holds JSON.
///
///     extension Player.Columns {
///       static let info = JSONColumn("info")
///     }
///     Player.filter { $0.info["city"] == "Rome" }
///     // SELECT * FROM "player" WHERE ("info" ->> 'city') = 'Rome'
public struct JSONColumn: ColumnExpression, SQLJSONExpressible, Sendable {
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

  /// The column as an expression. Functions that build JSON take its text for JSON.
  ///
  ///     JSONColumn("info").sqlExpression
  ///     // "info"
  public var sqlExpression: SQLExpression {
    SQLExpression(ColumnReference(name: name, isJSONText: true))
  }
}
