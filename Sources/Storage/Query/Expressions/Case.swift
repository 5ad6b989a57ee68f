/// `CASE`: the value of the first condition that is true.
///
///     Player.select { Case().when($0.score > 1000, then: "high").when($0.score > 100, then: "middle") }
///     // SELECT CASE WHEN "score" > 1000 THEN 'high' WHEN "score" > 100 THEN 'middle' END FROM "player"
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

  /// Begins a choice by conditions.
  public init() {
    subject = nil
  }

  /// Begins a choice by the value of an expression.
  public init(_ subject: some SQLFunctionArgument) {
    self.subject = subject.node
  }

  /// Adds a condition, or a value of the subject, with its result.
  public func when(_ condition: some SQLExpressible, then result: some SQLExpressible) -> Case {
    var copy = self
    copy.branches.append(
      Branch(condition: condition.node, result: result.node)
    )
    return copy
  }

  /// Ends the choice with the result of all other rows. Without it, they get NULL.
  public func otherwise(_ result: some SQLExpressible) -> SQLExpression {
    SQLExpression(Choice(subject: subject, branches: branches, otherwise: result.node))
  }

  /// The expression.
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
      // SQL has no choice without branches.
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
