/// A pattern condition: `"email" LIKE '%@example.com'`.
struct Like: NegatableExpression {
  let expression: ExpressionNode
  let pattern: ExpressionNode
  let escape: ExpressionNode?
  var isNegated = false

  var operands: [ExpressionNode] { [expression, pattern] }

  func write(to context: inout SQLContext) throws {
    try expression.writeOperand(to: &context)
    context.append(isNegated ? " NOT LIKE " : " LIKE ")
    try pattern.writeOperand(to: &context)
    guard let escape else { return }
    context.append(" ESCAPE ")
    try escape.writeOperand(to: &context)
  }
}

extension SQLSpecificExpressible {
  /// The `LIKE` operator: `%` stands for any text, `_` for any character. It ignores the case of
  /// ASCII letters, but not of other letters.
  ///
  ///     Column("email").like("%@example.com")
  ///     // "email" LIKE '%@example.com'
  ///
  ///     Column("rate").like("100\\%", escape: "\\")
  ///     // "rate" LIKE '100\%' ESCAPE '\'
  ///
  /// A `%` or `_` that follows the `escape` character stands for itself.
  public func like(
    _ pattern: some SQLExpressible,
    escape: (any SQLExpressible)? = nil
  ) -> SQLExpression {
    SQLExpression(
      Like(
        expression: node,
        pattern: pattern.node,
        escape: escape?.node
      )
    )
  }

  /// The `GLOB` operator: `*` stands for any text, `?` for any character. Case matters.
  ///
  ///     Column("path").glob("*.png")
  ///     // "path" GLOB '*.png'
  public func glob(_ pattern: some SQLExpressible) -> SQLExpression {
    .operation(.glob, self, pattern)
  }

  /// The `REGEXP` operator, which requires a function `regexp` in the connection.
  ///
  ///     Column("name").regexp("^A")
  ///     // "name" REGEXP '^A'
  public func regexp(_ pattern: some SQLExpressible) -> SQLExpression {
    .operation(.regexp, self, pattern)
  }

  /// The `MATCH` operator of full-text tables.
  ///
  ///     Column("content").match("sqlite")
  ///     // "content" MATCH 'sqlite'
  public func match(_ pattern: some SQLExpressible) -> SQLExpression {
    .operation(.match, self, pattern)
  }
}
