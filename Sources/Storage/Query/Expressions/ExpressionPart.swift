/// A kind of expression: a value, a column, an operation, a function call, …
///
/// Each conforming type is one kind of expression.
protocol ExpressionPart: Hashable, Sendable {
  /// Writes the expression.
  func write(to context: inout SQLContext) throws

  /// Whether the expression needs no parentheses as an operand. The default is `false`.
  var isOperand: Bool { get }

  /// The expressions inside this one.
  var operands: [ExpressionNode] { get }

  /// Whether the expression computes one value from many rows. By default, it does if an operand
  /// does.
  var isAggregate: Bool { get }

  /// The expression that is true when this one is false, where SQL has an operator for it.
  var negation: SQLExpression? { get }

  /// Returns the expression with a collation for the strings that it compares. By default, the
  /// collation follows the expression.
  func collated(_ collation: String) -> ExpressionNode

  /// Whether the value is a text that holds JSON. SQLite takes it for a plain string unless it is
  /// passed through `JSON()`. The default is `false`.
  var isJSONText: Bool { get }
}

extension ExpressionPart {
  var isOperand: Bool { false }
  var operands: [ExpressionNode] { [] }
  var isAggregate: Bool { operands.contains { $0.part.isAggregate } }
  var negation: SQLExpression? { nil }
  var isJSONText: Bool { false }

  func collated(_ collation: String) -> ExpressionNode {
    Collated(expression: node, collation: collation).node
  }

  func isEqual(to other: any ExpressionPart) -> Bool {
    (other as? Self) == self
  }
}

extension ExpressionPart {
  /// The expression as part of another expression or a clause.
  var node: ExpressionNode { ExpressionNode(part: self) }
}

/// An expression whose operator has an opposite: `IN` and `NOT IN`.
protocol NegatableExpression: ExpressionPart {
  /// Whether the opposite operator is written.
  var isNegated: Bool { get set }
}

extension NegatableExpression {
  var negation: SQLExpression? {
    var opposite = self
    opposite.isNegated.toggle()
    return SQLExpression(opposite)
  }
}
