/// A call of an SQL function: `LENGTH("name")`.
struct FunctionCall: ExpressionPart {
  /// The name, in quotes where SQLite needs them: see ``Swift/String/sqlWord``.
  let name: String
  var arguments: [ExpressionNode]
  var isDistinct = false
  var isAggregateFunction = false
  /// The condition on the rows that an aggregate sees; `nil` for all rows.
  var filter: ExpressionNode?
  /// The window of a window function; `nil` for other functions.
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
  /// Returns the call of a function that computes a value for each row.
  static func function(_ name: String, _ arguments: any SQLExpressible...) -> SQLExpression {
    function(name, arguments)
  }

  /// Returns the call of a function that computes a value for each row.
  static func function(_ name: String, _ arguments: [any SQLExpressible]) -> SQLExpression {
    SQLExpression(FunctionCall(name: name, arguments: arguments.map(\.node)))
  }
}
