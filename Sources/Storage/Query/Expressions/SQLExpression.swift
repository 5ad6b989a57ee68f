/// An SQL expression: a value that SQLite computes.
///
///     let bonus: SQLExpression = Column("score") * 2 + 10
///     // ("score" * 2) + 10
///
/// Build expressions from columns and values with Swift's operators, and with functions such as
/// ``length(_:)->SQLExpression``. An expression is a value that belongs to no connection.
///
/// `==` between two expressions is SQL's operator, so this type is not `Equatable`. Requests are.
public struct SQLExpression: Sendable {
  let node: ExpressionNode

  init(_ part: some ExpressionPart) {
    node = ExpressionNode(part: part)
  }

  init(_ node: ExpressionNode) {
    self.node = node
  }
}

extension SQLExpression: SQLSpecificExpressible, SQLCondition {
  /// The expression itself.
  public var sqlExpression: SQLExpression { self }
}
