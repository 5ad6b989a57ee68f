/// Whether an association leads to no row: `COUNT(DISTINCT "player"."id") = 0`.
struct AssociationEmptiness: NegatableExpression {
  let count: AssociationAggregateCall
  var isNegated = false

  var operands: [ExpressionNode] { [count.node] }

  func write(to context: inout SQLContext) throws {
    try count.write(to: &context)
    context.append(isNegated ? " > " : " = ")
    context.append(value: 0.databaseValue)
  }
}
