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
