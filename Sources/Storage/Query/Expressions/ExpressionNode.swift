/// An expression inside another expression or a clause.
struct ExpressionNode: Hashable, Sendable {
  /// The content of the expression.
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
  /// The value as part of an expression or a clause.
  var node: ExpressionNode { sqlExpression.node }
}

extension ExpressionNode {
  /// Writes the expression.
  func write(to context: inout SQLContext) throws {
    try part.write(to: &context)
  }

  /// Writes the expression as an operand, in parentheses where they are needed.
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

  /// Whether the value is a text that holds JSON. SQLite treats it as a plain string unless it is
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

/// An expression that needs the connection.
struct ConnectedExpression: ExpressionPart {
  let part: ConnectedPart<ExpressionNode>

  // The closure may make an aggregate.
  var isAggregate: Bool { true }

  func write(to context: inout SQLContext) throws {
    guard let db = context.db else { return context.appendUnconnected() }
    try part.content(db).write(to: &context)
  }
}

/// Terms of `GROUP BY` that need the connection.
struct ConnectedExpressions: ExpressionPart {
  let part: ConnectedPart<[ExpressionNode]>

  func write(to context: inout SQLContext) throws {
    // With a connection, the clause writes the terms instead.
    context.appendUnconnected()
  }
}

extension [ExpressionNode] {
  /// Returns the terms, with the terms that closures make in place of the closures.
  func connected(_ db: Database?) throws -> [ExpressionNode] {
    guard let db else { return self }
    return try flatMap { node in
      try (node.part as? ConnectedExpressions)?.part.content(db) ?? [node]
    }
  }
}

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

/// An expression that cannot be written: the request that contains it fails when it is written.
struct FailedExpression: ExpressionPart {
  let message: String

  func write(to context: inout SQLContext) throws {
    throw DatabaseError(resultCode: .SQLITE_MISUSE, message: message)
  }
}
