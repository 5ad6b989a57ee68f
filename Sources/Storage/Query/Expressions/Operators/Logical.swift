/// The type of a `true` or `false` literal that is a condition.
///
///     Player.filter(true)
///     // SELECT * FROM "player" WHERE 1
///
/// The value of a variable is a condition as a ``DatabaseValue``: `filter(flag.databaseValue)`.
public struct SQLBoolean: ExpressibleByBooleanLiteral, SQLCondition, Sendable {
  private let value: Bool

  /// Creates the condition of a literal.
  public init(booleanLiteral value: Bool) {
    self.value = value
  }

  /// The condition as an expression.
  public var sqlExpression: SQLExpression { value.sqlExpression }
}

/// The `AND` operator.
///
///     Column("isActive") && Column("score") > 1000
///     // "isActive" AND ("score" > 1000)
public func && (left: some SQLCondition, right: some SQLCondition) -> SQLExpression {
  .chain(.and, [left.node, right.node])
}

/// The `OR` operator.
///
///     Column("isActive") || Column("score") > 1000
///     // "isActive" OR ("score" > 1000)
public func || (left: some SQLCondition, right: some SQLCondition) -> SQLExpression {
  .chain(.or, [left.node, right.node])
}

/// The `NOT` operator, or the opposite operator where SQL has one.
///
///     !Column("isActive")
///     // NOT "isActive"
///
///     ![1, 2, 3].contains(Column("id"))
///     // "id" NOT IN (1, 2, 3)
public prefix func ! (condition: some SQLCondition) -> SQLExpression {
  let expression = condition.sqlExpression
  return expression.node.part.negation
    ?? SQLExpression(PrefixOperation(operator: .not, operand: expression.node))
}

/// A range condition: `"score" BETWEEN 0 AND 1000`.
struct Between: NegatableExpression {
  let expression: ExpressionNode
  let lower: ExpressionNode
  let upper: ExpressionNode
  var isNegated = false

  var operands: [ExpressionNode] { [expression, lower, upper] }

  func collated(_ collation: String) -> ExpressionNode {
    let expression = expression.part.collated(collation)
    return Between(expression: expression, lower: lower, upper: upper, isNegated: isNegated).node
  }

  func write(to context: inout SQLContext) throws {
    try expression.writeOperand(to: &context)
    context.append(isNegated ? " NOT BETWEEN " : " BETWEEN ")
    try lower.writeOperand(to: &context)
    context.append(" AND ")
    try upper.writeOperand(to: &context)
  }
}

extension ClosedRange where Bound: SQLExpressible {
  /// Returns whether an expression is in the range.
  ///
  ///     (0...1000).contains(Column("score"))
  ///     // "score" BETWEEN 0 AND 1000
  public func contains(_ element: some SQLSpecificExpressible) -> SQLExpression {
    SQLExpression(
      Between(
        expression: element.node,
        lower: lowerBound.node,
        upper: upperBound.node
      )
    )
  }
}

extension Range where Bound: SQLExpressible {
  /// Returns whether an expression is in the range.
  ///
  ///     (0..<1000).contains(Column("score"))
  ///     // ("score" >= 0) AND ("score" < 1000)
  public func contains(_ element: some SQLSpecificExpressible) -> SQLExpression {
    element >= lowerBound && element < upperBound
  }
}

/// An expression whose strings compare by a collation: `"name" COLLATE NOCASE`.
struct Collated: ExpressionPart {
  let expression: ExpressionNode
  /// The name of the collation.
  let collation: String

  var operands: [ExpressionNode] { [expression] }
  var negation: SQLExpression? {
    expression.part.negation.map {
      SQLExpression(Collated(expression: $0.node, collation: collation))
    }
  }

  func write(to context: inout SQLContext) throws {
    if expression.part is Operation {
      try expression.write(to: &context)
    } else {
      try expression.writeOperand(to: &context)
    }
    context.append(" COLLATE ")
    context.append(collation.sqlWord)
  }

  /// Applies a comparison to the expression, and the collation to the result.
  func map(_ transform: (ExpressionNode) -> SQLExpression) -> SQLExpression {
    SQLExpression(Collated(expression: transform(expression).node, collation: collation))
  }
}

extension SQLSpecificExpressible {
  /// Compares the strings of the expression by a collation.
  ///
  ///     Column("name").collating(.nocase) == "arthur"
  ///     // "name" = 'arthur' COLLATE NOCASE
  ///
  ///     ["arthur"].contains(Column("name")).collating(.nocase)
  ///     // ("name" COLLATE NOCASE) IN ('arthur')
  ///
  ///     Player.order { $0.name.collating(.nocase).desc }
  ///     // SELECT * FROM "player" ORDER BY "name" COLLATE NOCASE DESC
  public func collating(_ collation: Database.CollationName) -> SQLExpression {
    SQLExpression(node.part.collated(collation.rawValue))
  }

  /// Compares the strings of the expression by a collation that Swift computes.
  ///
  ///     Column("name").collating(.caseInsensitiveCompare) == "zoé"
  ///     // "name" = 'zoé' COLLATE swiftCaseInsensitiveCompare
  public func collating(_ collation: DatabaseCollation) -> SQLExpression {
    collating(Database.CollationName(collation.name))
  }
}
