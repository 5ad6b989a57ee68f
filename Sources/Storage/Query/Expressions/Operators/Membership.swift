/// A membership condition: `"id" IN (1, 2, 3)`.
struct Membership: NegatableExpression {
  enum Collection: Hashable {
    case list([ExpressionNode])
    case subquery(SQLSubquery)
    /// A table with one column.
    case table(String)
  }

  let element: ExpressionNode
  let collection: Collection
  var isNegated = false

  var operands: [ExpressionNode] {
    guard case .list(let list) = collection else { return [element] }
    return [element] + list
  }

  // SQLite compares by the collation of the element, and ignores one behind the list.
  func collated(_ collation: String) -> ExpressionNode {
    let element = element.part.collated(collation)
    return Membership(element: element, collection: collection, isNegated: isNegated).node
  }

  func write(to context: inout SQLContext) throws {
    try element.writeOperand(to: &context)
    context.append(isNegated ? " NOT IN " : " IN ")
    switch collection {
    case .list(let list):
      context.append("(")
      try list.writeList(to: &context)
      context.append(")")
    case .subquery(let subquery):
      try subquery.write(to: &context)
    case .table(let name):
      context.append(identifier: name)
    }
  }
}

extension Sequence where Element: SQLExpressible {
  /// Returns whether an expression equals one of the elements. An empty sequence contains nothing,
  /// not even NULL.
  ///
  ///     [1, 2, 3].contains(Column("id"))
  ///     // "id" IN (1, 2, 3)
  public func contains(_ element: some SQLSpecificExpressible) -> SQLExpression {
    SQLExpression(
      Membership(element: element.node, collection: .list(map(\.node)))
    )
  }
}

extension Sequence<any SQLExpressible> {
  /// Returns whether an expression equals one of the elements.
  ///
  ///     [1, Column("other")].contains(Column("id"))
  ///     // "id" IN (1, "other")
  public func contains(_ element: some SQLSpecificExpressible) -> SQLExpression {
    SQLExpression(
      Membership(element: element.node, collection: .list(map(\.node)))
    )
  }
}

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
  /// The `LIKE` operator: `%` matches any text, `_` any character. It ignores the case of ASCII
  /// letters, but not of other letters.
  ///
  ///     Column("email").like("%@example.com")
  ///     // "email" LIKE '%@example.com'
  ///
  ///     Column("rate").like("100\\%", escape: "\\")
  ///     // "rate" LIKE '100\%' ESCAPE '\'
  ///
  /// A `%` or `_` that follows the `escape` character matches itself.
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

  /// The `GLOB` operator: `*` matches any text, `?` any character. Case matters.
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
