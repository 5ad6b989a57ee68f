/// Converts a value to a type.
///
///     Player.select { cast($0.score, as: .text) }
///     // SELECT CAST("score" AS TEXT) FROM "player"
public func cast(
  _ value: some SQLSpecificExpressible,
  as type: Database.ColumnType
) -> SQLExpression {
  SQLExpression(Cast(expression: value.node, type: type))
}

/// `CAST("score" AS TEXT)`
private struct Cast: ExpressionPart {
  let expression: ExpressionNode
  let type: Database.ColumnType

  var isOperand: Bool { true }
  var operands: [ExpressionNode] { [expression] }

  func write(to context: inout SQLContext) throws {
    context.append("CAST(")
    try expression.write(to: &context)
    context.append(" AS \(type.rawValue))")
  }
}
