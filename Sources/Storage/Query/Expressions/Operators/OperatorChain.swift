/// Expressions with one operator between all of them: `"a" AND "b" AND "c"`.
struct OperatorChain: ExpressionPart {
  let `operator`: SQLExpression.AssociativeBinaryOperator
  let operands: [ExpressionNode]

  func collated(_ collation: String) -> ExpressionNode {
    guard `operator` == .and || `operator` == .or else {
      return Collated(expression: node, collation: collation).node
    }
    let operands = operands.map { $0.part.collated(collation) }
    return OperatorChain(operator: `operator`, operands: operands).node
  }

  func write(to context: inout SQLContext) throws {
    for (index, operand) in operands.enumerated() {
      if index > 0 { context.append(" \(`operator`.sql) ") }
      try operand.writeOperand(to: &context)
    }
  }
}

extension SQLExpression {
  /// Returns the expressions with one operator between them, or its neutral value without
  /// expressions.
  static func chain(
    _ operator: AssociativeBinaryOperator,
    _ expressions: [ExpressionNode]
  ) -> SQLExpression {
    guard expressions.count > 1 else {
      return expressions.first?.sqlExpression ?? `operator`.neutral.sqlExpression
    }
    guard `operator`.isExact else {
      return SQLExpression(OperatorChain(operator: `operator`, operands: expressions))
    }
    let operands = expressions.flatMap { expression in
      guard let chain = expression.part as? OperatorChain, chain.operator == `operator` else {
        return [expression]
      }
      return chain.operands
    }
    return SQLExpression(OperatorChain(operator: `operator`, operands: operands))
  }
}

extension Sequence where Element: SQLExpressible {
  /// Joins the expressions with an operator. Without expressions, returns the operator's neutral
  /// value.
  ///
  ///     ["a", "b"].map { Column($0) }.joined(operator: .concat)
  ///     // "a" || "b"
  public func joined(operator: SQLExpression.AssociativeBinaryOperator) -> SQLExpression {
    .chain(`operator`, map(\.node))
  }
}

extension Sequence<any SQLExpressible> {
  /// Joins the expressions with an operator. Without expressions, returns the operator's neutral
  /// value.
  ///
  ///     [Column("a"), " ", Column("b")].joined(operator: .concat)
  ///     // "a" || ' ' || "b"
  public func joined(operator: SQLExpression.AssociativeBinaryOperator) -> SQLExpression {
    .chain(`operator`, map(\.node))
  }
}
