/// An expression inside another expression or a clause.
struct ExpressionNode: Hashable, Sendable {
  /// The content of the expression.
  let part: any ExpressionPart

  static func == (left: ExpressionNode, right: ExpressionNode) -> Bool {
    left.part.isEqual(to: right.part)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(part)
  }
}

extension ExpressionNode: SQLExpressible {
  var sqlExpression: SQLExpression { SQLExpression(self) }
}

extension SQLExpressible {
  /// The value as part of an expression or a clause.
  var node: ExpressionNode { sqlExpression.node }
}

extension ExpressionNode {
  /// Writes the expression.
  func write(to context: inout SQLContext) throws {
    try part.write(to: &context)
  }

  /// Writes the expression as an operand, in parentheses where they are needed.
  func writeOperand(to context: inout SQLContext) throws {
    guard !part.isOperand else { return try write(to: &context) }
    context.append("(")
    try write(to: &context)
    context.append(")")
  }
}

extension Sequence<ExpressionNode> {
  /// Writes the expressions, separated by commas.
  func writeList(to context: inout SQLContext) throws {
    for (index, expression) in enumerated() {
      if index > 0 { context.append(", ") }
      try expression.write(to: &context)
    }
  }
}
