/// A type whose values can stand in an SQL expression: columns, expressions, and all values that a
/// database stores.
public protocol SQLExpressible {
  /// The value as an expression.
  var sqlExpression: SQLExpression { get }
}

/// A type that means SQL and nothing else: a column, an expression. Swift's operators build SQL when
/// one of their operands is of such a type.
///
///     Column("score") + 1
///     // "score" + 1
public protocol SQLSpecificExpressible: SQLFunctionArgument, SQLSelectable, SQLOrderingTerm {}

/// What SQL's functions are called with: a column or an expression, with or without a type.
///
///     length(Column("name"))
///     // LENGTH("name")
///
/// A value alone is none: `length("name")` is left to others.
public protocol SQLFunctionArgument: SQLExpressible {}

/// An expression that can be true or false: what a filter takes, and what `&&`, `||` and `!` combine.
///
///     Player.filter { $0.isActive && $0.score > 10 }
///     // SELECT * FROM "player" WHERE "isActive" AND ("score" > 10)
///
/// Untyped expressions all are, as SQLite reads any value as a condition. A typed column is one when
/// its values are `Bool`.
///
/// `Bool` itself is no condition: otherwise Swift would take `==` between two requests for its own.
public protocol SQLCondition: SQLExpressible {}

extension SQLSpecificExpressible {
  /// The expression as a result column.
  ///
  ///     Player.select { $0.score * 2 }
  ///     // SELECT "score" * 2 FROM "player"
  public var sqlSelection: SQLSelection { SQLSelection(.expression(node)) }

  /// The expression as an ordering term.
  ///
  ///     Player.order { $0.score * 2 }
  ///     // SELECT * FROM "player" ORDER BY "score" * 2
  public var sqlOrdering: SQLOrdering { SQLOrdering(.term(node)) }
}

extension DatabaseValueConvertible {
  /// The value, bound as an argument.
  ///
  ///     "O'Brien".sqlExpression
  ///     // 'O''Brien'
  public var sqlExpression: SQLExpression { SQLExpression(Value(databaseValue: databaseValue)) }
}

extension Optional: SQLExpressible where Wrapped: DatabaseValueConvertible {}
extension Optional: TypedOperand where Wrapped: DatabaseValueConvertible {}

extension DatabaseValue: SQLSpecificExpressible {
  /// The value, bound as an argument.
  public var sqlExpression: SQLExpression { SQLExpression(Value(databaseValue: self)) }
}

extension SQLExpression {
  /// `NULL`.
  ///
  ///     Player.select { _ in SQLExpression.null }
  ///     // SELECT NULL FROM "player"
  public static let null = DatabaseValue.null.sqlExpression

}

extension ExpressionNode {
  /// The value, for an expression that is just one.
  var value: DatabaseValue? { (part as? Value)?.databaseValue }
}

/// A value in an expression.
private struct Value: ExpressionPart {
  let databaseValue: DatabaseValue

  var isOperand: Bool { true }
  func write(to context: inout SQLContext) { context.append(value: databaseValue) }
}
