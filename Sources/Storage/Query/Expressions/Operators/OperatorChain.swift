/// Expressions with one operator between all of them: `"a" AND "b" AND "c"`.
struct OperatorChain: ExpressionPart {
  let `operator`: SQLExpression.AssociativeBinaryOperator
  let operands: [ExpressionNode]

  func write(to context: inout SQLContext) throws {
    for (index, operand) in operands.enumerated() {
      if index > 0 { context.append(" \(`operator`.sql) ") }
      try operand.writeOperand(to: &context)
    }
  }
}

extension SQLExpression {
  /// An operator that can be put between any number of expressions.
  ///
  ///     [$0.a, $0.b, $0.c].joined(operator: .and)
  ///     // "a" AND "b" AND "c"
  public struct AssociativeBinaryOperator: Hashable, Sendable {
    let sql: String
    /// What no operand at all comes to.
    let neutral: DatabaseValue
    /// Whether the result is the same however the operands are grouped. Sums and products of floating
    /// point numbers are not.
    let isExact: Bool

    /// `+`
    public static let add = Self(sql: "+", neutral: 0.databaseValue, isExact: false)
    /// `*`
    public static let multiply = Self(sql: "*", neutral: 1.databaseValue, isExact: false)
    /// `AND`
    public static let and = Self(sql: "AND", neutral: 1.databaseValue, isExact: true)
    /// `OR`
    public static let or = Self(sql: "OR", neutral: 0.databaseValue, isExact: true)
    /// `||`, which concatenates strings
    public static let concat = Self(sql: "||", neutral: "".databaseValue, isExact: true)
    /// `&`
    public static let bitwiseAnd = Self(sql: "&", neutral: (-1).databaseValue, isExact: true)
    /// `|`
    public static let bitwiseOr = Self(sql: "|", neutral: 0.databaseValue, isExact: true)
  }

  /// Expressions with one operator between them.
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
  /// The expressions with an operator between them. Without any, it is the operator's neutral value.
  ///
  ///     [$0.firstName, " ".databaseValue.sqlExpression, $0.lastName].joined(operator: .concat)
  ///     // "firstName" || ' ' || "lastName"
  public func joined(operator: SQLExpression.AssociativeBinaryOperator) -> SQLExpression {
    .chain(`operator`, map(\.node))
  }
}

extension Sequence<any SQLExpressible> {
  /// The expressions with an operator between them. Without any, it is the operator's neutral value.
  ///
  ///     [$0.firstName, " ", $0.lastName].joined(operator: .concat)
  ///     // "firstName" || ' ' || "lastName"
  public func joined(operator: SQLExpression.AssociativeBinaryOperator) -> SQLExpression {
    .chain(`operator`, map(\.node))
  }
}
