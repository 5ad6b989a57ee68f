/// A `CASE` expression: the result of the first branch whose condition is true.
///
///     Player.select { Case().when($0.score > 99, then: "high").when($0.score > 9, then: "low") }
///     // SELECT CASE WHEN "score" > 99 THEN 'high' WHEN "score" > 9 THEN 'low' END
///     // FROM "player"
///
///     Player.select { Case($0.color).when("r", then: "red").otherwise("unknown") }
///     // SELECT CASE "color" WHEN 'r' THEN 'red' ELSE 'unknown' END FROM "player"
public struct Case: SQLSpecificExpressible, SQLCondition, Sendable {
  private struct Branch: Hashable, Sendable {
    let condition: ExpressionNode
    let result: ExpressionNode
  }

  private let subject: ExpressionNode?
  private var branches: [Branch] = []

  /// Creates a choice between conditions.
  public init() {
    subject = nil
  }

  /// Creates a choice by the value of an expression.
  public init(_ subject: some SQLFunctionArgument) {
    self.subject = subject.node
  }

  /// Adds a branch: a condition, or a value of the subject, and its result.
  public func when(_ condition: some SQLExpressible, then result: some SQLExpressible) -> Case {
    var copy = self
    copy.branches.append(
      Branch(condition: condition.node, result: result.node)
    )
    return copy
  }

  /// Ends the choice with the result where no branch applies. Without it, the result is NULL.
  public func otherwise(_ result: some SQLExpressible) -> SQLExpression {
    SQLExpression(Choice(subject: subject, branches: branches, otherwise: result.node))
  }

  /// The choice as an expression.
  public var sqlExpression: SQLExpression {
    SQLExpression(Choice(subject: subject, branches: branches, otherwise: nil))
  }

  private struct Choice: ExpressionPart {
    let subject: ExpressionNode?
    let branches: [Branch]
    let otherwise: ExpressionNode?

    var isOperand: Bool { true }
    var operands: [ExpressionNode] {
      [subject, otherwise].compactMap(\.self)
        + branches.flatMap { [$0.condition, $0.result] }
    }

    func write(to context: inout SQLContext) throws {
      context.append("CASE")
      if let subject {
        context.append(" ")
        try subject.write(to: &context)
      }
      // SQL requires at least one branch.
      if branches.isEmpty { context.append(" WHEN 0 THEN NULL") }
      for branch in branches {
        context.append(" WHEN ")
        try branch.condition.write(to: &context)
        context.append(" THEN ")
        try branch.result.write(to: &context)
      }
      if let otherwise {
        context.append(" ELSE ")
        try otherwise.write(to: &context)
      }
      context.append(" END")
    }
  }
}

/// Converts a value to a type.
///
///     Player.select { cast($0.score, as: .text) }
///     // SELECT CAST("score" AS TEXT) FROM "player"
public func cast(
  _ value: some SQLSpecificExpressible,
  as type: Database.ColumnType
) -> SQLExpression {
  SQLExpression(Cast(expression: value.node, type: type))
}

/// `CAST("score" AS TEXT)`
private struct Cast: ExpressionPart {
  let expression: ExpressionNode
  let type: Database.ColumnType

  var isOperand: Bool { true }
  var operands: [ExpressionNode] { [expression] }

  func write(to context: inout SQLContext) throws {
    context.append("CAST(")
    try expression.write(to: &context)
    context.append(" AS \(type.rawValue))")
  }
}
