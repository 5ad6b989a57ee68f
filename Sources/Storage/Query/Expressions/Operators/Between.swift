/// A range condition: `"score" BETWEEN 0 AND 1000`.
struct Between: NegatableExpression {
  let expression: ExpressionNode
  let lower: ExpressionNode
  let upper: ExpressionNode
  var isNegated = false

  var operands: [ExpressionNode] { [expression, lower, upper] }

  func collated(_ collation: String) -> ExpressionNode {
    let expression = expression.part.collated(collation)
    return Between(expression: expression, lower: lower, upper: upper, isNegated: isNegated).node
  }

  func write(to context: inout SQLContext) throws {
    try expression.writeOperand(to: &context)
    context.append(isNegated ? " NOT BETWEEN " : " BETWEEN ")
    try lower.writeOperand(to: &context)
    context.append(" AND ")
    try upper.writeOperand(to: &context)
  }
}

extension ClosedRange where Bound: SQLExpressible {
  /// Returns whether an expression is in the range.
  ///
  ///     (0...1000).contains(Column("score"))
  ///     // "score" BETWEEN 0 AND 1000
  public func contains(_ element: some SQLSpecificExpressible) -> SQLExpression {
    SQLExpression(
      Between(
        expression: element.node,
        lower: lowerBound.node,
        upper: upperBound.node
      )
    )
  }
}

extension Range where Bound: SQLExpressible {
  /// Returns whether an expression is in the range.
  ///
  ///     (0..<1000).contains(Column("score"))
  ///     // ("score" >= 0) AND ("score" < 1000)
  public func contains(_ element: some SQLSpecificExpressible) -> SQLExpression {
    element >= lowerBound && element < upperBound
  }
}
