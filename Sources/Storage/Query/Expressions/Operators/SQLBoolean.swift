/// The type of a `true` or `false` literal that is a condition.
///
///     Player.filter(true)
///     // SELECT * FROM "player" WHERE 1
///
/// The value of a variable is a condition as a ``DatabaseValue``: `filter(flag.databaseValue)`.
public struct SQLBoolean: ExpressibleByBooleanLiteral, SQLCondition, Sendable {
  private let value: Bool

  /// Creates the condition of a literal.
  public init(booleanLiteral value: Bool) {
    self.value = value
  }

  /// The condition as an expression.
  public var sqlExpression: SQLExpression { value.sqlExpression }
}
