/// An operation on two expressions: `"a" < "b"`.
struct Operation: ExpressionPart {
  /// The operators that cannot form a chain: their operands need parentheses, as in `(1 - 2) - 3`.
  enum Operator: String {
    case equal = "="
    case notEqual = "<>"
    case `is` = "IS"
    case isNot = "IS NOT"
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case subtract = "-"
    case divide = "/"
    case remainder = "%"
    case shiftLeft = "<<"
    case shiftRight = ">>"
    case glob = "GLOB"
    case notGlob = "NOT GLOB"
    case match = "MATCH"
    case regexp = "REGEXP"
    case notRegexp = "NOT REGEXP"
    case jsonValue = "->>"
    case json = "->"

    /// The operator that is true when this one is false. The comparisons `<`, `<=`, `>` and `>=`
    /// have none: their negation is written with `NOT`.
    var negation: Operator? {
      switch self {
      case .equal: .notEqual
      case .notEqual: .equal
      case .is: .isNot
      case .isNot: .is
      case .glob: .notGlob
      case .notGlob: .glob
      case .regexp: .notRegexp
      case .notRegexp: .regexp
      default: nil
      }
    }
  }

  let `operator`: Operator
  let left: ExpressionNode
  let right: ExpressionNode

  var operands: [ExpressionNode] { [left, right] }

  var negation: SQLExpression? {
    `operator`.negation.map { SQLExpression(Operation(operator: $0, left: left, right: right)) }
  }

  func write(to context: inout SQLContext) throws {
    try left.writeOperand(to: &context)
    context.append(" \(`operator`.rawValue) ")
    if `operator` == .is || `operator` == .isNot, right.value == .null {
      // SQLite uses a partial index `WHERE a IS NULL` only for this text, not for an argument.
      context.append("NULL")
    } else {
      try right.writeOperand(to: &context)
    }
  }
}

extension SQLExpression {
  /// Returns an operation on two expressions.
  static func operation(
    _ operator: Operation.Operator,
    _ left: some SQLExpressible,
    _ right: some SQLExpressible
  ) -> SQLExpression {
    let (left, right) = (left.node, right.node)
    // The collation of one operand applies to the whole comparison, wherever it is written.
    if let collated = left.part as? Collated {
      return collated.map {
        SQLExpression(Operation(operator: `operator`, left: $0, right: right))
      }
    }
    return SQLExpression(Operation(operator: `operator`, left: left, right: right))
  }
}

extension SQLExpression {
  /// An operator that joins any number of expressions.
  ///
  ///     [Column("a"), Column("b"), Column("c")].joined(operator: .and)
  ///     // "a" AND "b" AND "c"
  public struct AssociativeBinaryOperator: Hashable, Sendable {
    let sql: String
    /// The result for an empty list of operands.
    let neutral: DatabaseValue
    /// Whether the result is the same however the operands are grouped. Sums and products of
    /// floating point numbers are not.
    let isExact: Bool

    /// `+`
    public static let add = Self(sql: "+", neutral: 0.databaseValue, isExact: false)
    /// `*`
    public static let multiply = Self(sql: "*", neutral: 1.databaseValue, isExact: false)
    /// `AND`
    public static let and = Self(sql: "AND", neutral: 1.databaseValue, isExact: true)
    /// `OR`
    public static let or = Self(sql: "OR", neutral: 0.databaseValue, isExact: true)
    /// `||`, which concatenates strings.
    public static let concat = Self(sql: "||", neutral: "".databaseValue, isExact: true)
    /// `&`
    public static let bitwiseAnd = Self(sql: "&", neutral: (-1).databaseValue, isExact: true)
    /// `|`
    public static let bitwiseOr = Self(sql: "|", neutral: 0.databaseValue, isExact: true)
  }
}

/// Expressions with one operator between all of them: `"a" AND "b" AND "c"`.
struct OperatorChain: ExpressionPart {
  let `operator`: SQLExpression.AssociativeBinaryOperator
  let operands: [ExpressionNode]

  func collated(_ collation: String) -> ExpressionNode {
    guard `operator` == .and || `operator` == .or else {
      return Collated(expression: node, collation: collation).node
    }
    let operands = operands.map { $0.part.collated(collation) }
    return OperatorChain(operator: `operator`, operands: operands).node
  }

  func write(to context: inout SQLContext) throws {
    for (index, operand) in operands.enumerated() {
      if index > 0 { context.append(" \(`operator`.sql) ") }
      try operand.writeOperand(to: &context)
    }
  }
}

extension SQLExpression {
  /// Returns the expressions with one operator between them, or its neutral value without
  /// expressions.
  static func chain(
    _ operator: AssociativeBinaryOperator,
    _ expressions: [ExpressionNode]
  ) -> SQLExpression {
    guard expressions.count > 1 else {
      return expressions.first?.sqlExpression ?? `operator`.neutral.sqlExpression
    }
    guard `operator`.isExact else {
      return SQLExpression(OperatorChain(operator: `operator`, operands: expressions))
    }
    let operands = expressions.flatMap { expression in
      guard let chain = expression.part as? OperatorChain, chain.operator == `operator` else {
        return [expression]
      }
      return chain.operands
    }
    return SQLExpression(OperatorChain(operator: `operator`, operands: operands))
  }
}

extension Sequence where Element: SQLExpressible {
  /// Joins the expressions with an operator. Without expressions, returns the operator's neutral
  /// value.
  ///
  ///     ["a", "b"].map { Column($0) }.joined(operator: .concat)
  ///     // "a" || "b"
  public func joined(operator: SQLExpression.AssociativeBinaryOperator) -> SQLExpression {
    .chain(`operator`, map(\.node))
  }
}

extension Sequence<any SQLExpressible> {
  /// Joins the expressions with an operator. Without expressions, returns the operator's neutral
  /// value.
  ///
  ///     [Column("a"), " ", Column("b")].joined(operator: .concat)
  ///     // "a" || ' ' || "b"
  public func joined(operator: SQLExpression.AssociativeBinaryOperator) -> SQLExpression {
    .chain(`operator`, map(\.node))
  }
}

/// An operator in front of an expression: `NOT "isActive"`, `-"score"`, `~"mask"`.
struct PrefixOperation: ExpressionPart {
  enum Operator: String {
    case not = "NOT "
    case minus = "-"
    case bitwiseNot = "~"
  }

  let `operator`: Operator
  let operand: ExpressionNode

  var operands: [ExpressionNode] { [operand] }

  func collated(_ collation: String) -> ExpressionNode {
    PrefixOperation(operator: `operator`, operand: operand.part.collated(collation)).node
  }

  func write(to context: inout SQLContext) throws {
    context.append(`operator`.rawValue)
    // A minus before a negative literal would begin a comment.
    let isLiteral = operand.value != nil
    if isLiteral { context.append("(") }
    try operand.writeOperand(to: &context)
    if isLiteral { context.append(")") }
  }
}

/// The `-` operator.
///
///     -Column("score")
///     // -"score"
public prefix func - (operand: some SQLSpecificExpressible) -> SQLExpression {
  SQLExpression(PrefixOperation(operator: .minus, operand: operand.node))
}

/// The `~` operator, which flips all bits.
///
///     ~Column("mask")
///     // ~"mask"
public prefix func ~ (operand: some SQLSpecificExpressible) -> SQLExpression {
  SQLExpression(PrefixOperation(operator: .bitwiseNot, operand: operand.node))
}
