/// The call of an SQL function: `LENGTH("name")`.
struct FunctionCall: ExpressionPart {
  /// The name, in quotes where they are needed: see ``Swift/String/sqlWord``.
  let name: String
  var arguments: [SQLExpression]
  var isDistinct = false
  var isAggregateFunction = false

  var isOperand: Bool { true }
  var operands: [SQLExpression] { arguments }
  var isAggregate: Bool { isAggregateFunction || operands.contains { $0.part.isAggregate } }

  func write(to context: inout SQLContext) throws {
    context.append(name)
    context.append(isDistinct ? "(DISTINCT " : "(")
    try arguments.writeList(to: &context)
    context.append(")")
  }
}

extension SQLExpression {
  /// The call of a function that computes a value of each row.
  static func function(_ name: String, _ arguments: any SQLExpressible...) -> SQLExpression {
    SQLExpression(FunctionCall(name: name, arguments: arguments.map(\.sqlExpression)))
  }
}
