/// An expression whose unqualified columns belong to one table of the statement.
struct OwnedExpression: ExpressionPart {
  let expression: ExpressionNode
  let table: TableReference

  var isOperand: Bool { expression.part.isOperand }
  var operands: [ExpressionNode] { [expression] }
  var negation: SQLExpression? {
    expression.part.negation.map {
      SQLExpression(OwnedExpression(expression: $0.node, table: table))
    }
  }

  var isJSONText: Bool { expression.part.isJSONText }

  func collated(_ collation: String) -> ExpressionNode {
    OwnedExpression(expression: expression.part.collated(collation), table: table).node
  }

  func write(to context: inout SQLContext) throws {
    try context.with(owner: table) { try expression.write(to: &$0) }
  }
}
