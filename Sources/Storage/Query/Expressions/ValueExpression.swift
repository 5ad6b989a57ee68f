/// A value in an expression.
struct ValueExpression: ExpressionPart {
  let databaseValue: DatabaseValue

  var isOperand: Bool { true }
  func write(to context: inout SQLContext) throws {
    if context.values == .literal, let unstorable = databaseValue.unstorable {
      throw unstorable.error(in: "a definition")
    }
    context.append(value: databaseValue)
  }
}

extension DatabaseValueConvertible {
  /// The value as an expression, bound as an argument.
  ///
  ///     "O'Brien".sqlExpression
  ///     // 'O''Brien'
  public var sqlExpression: SQLExpression {
    SQLExpression(ValueExpression(databaseValue: databaseValue))
  }
}

extension Optional: SQLExpressible where Wrapped: DatabaseValueConvertible {}
extension Optional: TypedOperand where Wrapped: DatabaseValueConvertible {}

extension DatabaseValue: SQLSpecificExpressible, SQLCondition {
  /// The value as an expression, bound as an argument.
  public var sqlExpression: SQLExpression { SQLExpression(ValueExpression(databaseValue: self)) }
}

extension SQLExpression {
  /// `NULL`
  ///
  ///     Player.select { _ in SQLExpression.null }
  ///     // SELECT NULL FROM "player"
  public static let null = DatabaseValue.null.sqlExpression
}

extension ExpressionNode {
  /// The value, if the expression is a plain value.
  var value: DatabaseValue? { (part as? ValueExpression)?.databaseValue }
}
