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

  func write(to context: inout SQLContext) throws {
    try context.with(owner: table) { try expression.write(to: &$0) }
  }
}
