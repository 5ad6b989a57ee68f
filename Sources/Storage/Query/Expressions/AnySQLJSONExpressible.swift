/// An expression that is declared as JSON: see ``SQLSpecificExpressible/asJSON``.
public struct AnySQLJSONExpressible: SQLJSONExpressible, SQLCondition, Sendable {
  /// The expression.
  public let sqlExpression: SQLExpression

  init(_ expression: SQLExpression) {
    sqlExpression = expression
  }

  /// Wraps an expression that is declared as JSON.
  public init(_ value: some SQLJSONExpressible) {
    sqlExpression = value.sqlExpression
  }
}
