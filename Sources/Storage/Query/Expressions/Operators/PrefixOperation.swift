/// An operator in front of an expression: `NOT "isActive"`, `-"score"`, `~"mask"`.
struct PrefixOperation: ExpressionPart {
  enum Operator: String {
    case not = "NOT "
    case minus = "-"
    case bitwiseNot = "~"
  }

  let `operator`: Operator
  let operand: ExpressionNode

  var operands: [ExpressionNode] { [operand] }

  func collated(_ collation: String) -> ExpressionNode {
    PrefixOperation(operator: `operator`, operand: operand.part.collated(collation)).node
  }

  func write(to context: inout SQLContext) throws {
    context.append(`operator`.rawValue)
    // A minus before a negative literal would begin a comment.
    let isLiteral = operand.value != nil
    if isLiteral { context.append("(") }
    try operand.writeOperand(to: &context)
    if isLiteral { context.append(")") }
  }
}

/// The `-` operator.
///
///     -Column("score")
///     // -"score"
public prefix func - (operand: some SQLSpecificExpressible) -> SQLExpression {
  SQLExpression(PrefixOperation(operator: .minus, operand: operand.node))
}

/// The `~` operator, which flips all bits.
///
///     ~Column("mask")
///     // ~"mask"
public prefix func ~ (operand: some SQLSpecificExpressible) -> SQLExpression {
  SQLExpression(PrefixOperation(operator: .bitwiseNot, operand: operand.node))
}
