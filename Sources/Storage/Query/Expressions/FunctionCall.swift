/// The call of an SQL function: `LENGTH("name")`.
struct FunctionCall: ExpressionPart {
  /// The name, in quotes where they are needed: see ``Swift/String/sqlWord``.
  let name: String
  var arguments: [ExpressionNode]
  var isDistinct = false
  var isAggregateFunction = false
  /// Which rows an aggregate takes; `nil` for all.
  var filter: ExpressionNode?
  /// The rows around a row that the function looks at; `nil` when it is no window function.
  var window: WindowClause?

  var isOperand: Bool { true }
  var operands: [ExpressionNode] { arguments }
  var isAggregate: Bool {
    isAggregateFunction && window == nil || operands.contains { $0.part.isAggregate }
  }

  func write(to context: inout SQLContext) throws {
    context.append(name)
    context.append(isDistinct ? "(DISTINCT " : "(")
    try arguments.writeList(to: &context)
    context.append(")")
    if let filter {
      context.append(" FILTER (WHERE ")
      try filter.write(to: &context)
      context.append(")")
    }
    try window?.write(to: &context)
  }
}

extension SQLExpression {
  /// The call of a function that computes a value of each row.
  static func function(_ name: String, _ arguments: any SQLExpressible...) -> SQLExpression {
    function(name, arguments)
  }

  /// The call of a function that computes a value of each row.
  static func function(_ name: String, _ arguments: [any SQLExpressible]) -> SQLExpression {
    SQLExpression(FunctionCall(name: name, arguments: arguments.map(\.node)))
  }
}
