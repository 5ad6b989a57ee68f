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
