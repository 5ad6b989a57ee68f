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
