/// An expression whose text is declared as JSON.
struct JSONText: ExpressionPart {
  let expression: ExpressionNode

  var isOperand: Bool { expression.part.isOperand }
  var operands: [ExpressionNode] { [expression] }
  var isJSONText: Bool { true }
  var negation: SQLExpression? { expression.part.negation }

  func collated(_ collation: String) -> ExpressionNode { expression.part.collated(collation) }

  func write(to context: inout SQLContext) throws { try expression.write(to: &context) }
}

extension SQLExpressible {
  /// The value as an argument of a function that builds JSON: JSON is embedded as such, and a text
  /// as a string. https://www.sqlite.org/json1.html#value_arguments
  var jsonArgument: SQLExpression {
    let expression = sqlExpression
    return expression.node.part.isJSONText ? .function("JSON", expression) : expression
  }
}
