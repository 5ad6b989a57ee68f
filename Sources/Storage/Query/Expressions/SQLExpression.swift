/// An SQL expression: a value that SQLite computes.
///
///     let bonus: SQLExpression = Column("score") * 2 + 10
///     // ("score" * 2) + 10
///
/// Expressions are made of columns and values with Swift's operators and with functions such as
/// ``length(_:)->SQLExpression``. They are values, and belong to no connection.
///
/// `==` between two expressions is SQL's: that is why this type is not `Equatable`. Requests are.
public struct SQLExpression: Sendable {
  let node: ExpressionNode

  init(_ part: some ExpressionPart) {
    node = ExpressionNode(part: part)
  }

  init(_ node: ExpressionNode) {
    self.node = node
  }
}

/// An expression inside another one, or inside a clause.
struct ExpressionNode: Hashable, Sendable {
  /// What the expression is made of.
  let part: any ExpressionPart

  static func == (left: ExpressionNode, right: ExpressionNode) -> Bool {
    left.part.isEqual(to: right.part)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(part)
  }
}

extension ExpressionNode: SQLExpressible {
  var sqlExpression: SQLExpression { SQLExpression(self) }
}

extension SQLExpressible {
  /// The value as a part of an expression or a clause.
  var node: ExpressionNode { sqlExpression.node }
}

extension SQLExpression: SQLSpecificExpressible, SQLCondition {
  /// The expression itself.
  public var sqlExpression: SQLExpression { self }
}

/// What an expression can be: a value, a column, an operation, a function call …
///
/// Each kind of expression is one type, in a file of its own.
protocol ExpressionPart: Hashable, Sendable {
  /// Writes the expression.
  func write(to context: inout SQLContext) throws

  /// Whether the expression goes beside an operator without parentheses: `false` unless stated.
  var isOperand: Bool { get }

  /// The expressions inside.
  var operands: [ExpressionNode] { get }

  /// Whether the expression computes one value of many rows. Unless stated, it does when an operand
  /// does.
  var isAggregate: Bool { get }

  /// The expression that is true when this one is false, where SQL has an operator for it.
  var negation: SQLExpression? { get }
}

extension ExpressionPart {
  var isOperand: Bool { false }
  var operands: [ExpressionNode] { [] }
  var isAggregate: Bool { operands.contains { $0.part.isAggregate } }
  var negation: SQLExpression? { nil }

  fileprivate func isEqual(to other: any ExpressionPart) -> Bool {
    (other as? Self) == self
  }
}

/// An expression whose operator has an opposite: `IN` and `NOT IN`.
protocol NegatableExpression: ExpressionPart {
  /// Whether the opposite is meant.
  var isNegated: Bool { get set }
}

extension NegatableExpression {
  var negation: SQLExpression? {
    var opposite = self
    opposite.isNegated.toggle()
    return SQLExpression(opposite)
  }
}

extension ExpressionNode {
  /// Writes the expression.
  func write(to context: inout SQLContext) throws {
    try part.write(to: &context)
  }

  /// Writes the expression beside an operator: in parentheses where they are needed.
  func writeOperand(to context: inout SQLContext) throws {
    guard !part.isOperand else { return try write(to: &context) }
    context.append("(")
    try write(to: &context)
    context.append(")")
  }
}

extension Sequence<ExpressionNode> {
  /// Writes the expressions, separated by commas.
  func writeList(to context: inout SQLContext) throws {
    for (index, expression) in enumerated() {
      if index > 0 { context.append(", ") }
      try expression.write(to: &context)
    }
  }
}

extension ExpressionPart {
  /// The part as a part of another expression, or of a clause.
  var node: ExpressionNode { ExpressionNode(part: self) }
}
