/// A type that can be a subquery of another statement: a request.
public protocol SQLSubqueryable: SQLSpecificExpressible, SQLCondition {
  /// The subquery.
  var sqlSubquery: SQLSubquery { get }
}

extension SQLSubqueryable {
  /// The value of the subquery: the first column of its first row.
  ///
  ///     Player.filter { $0.score == maximum }
  ///     // SELECT * FROM "player" WHERE "score" = (SELECT MAX("score") FROM "player")
  public var sqlExpression: SQLExpression { SQLExpression(ScalarSubquery(subquery: sqlSubquery)) }

  /// Returns whether an expression is among the values of the subquery.
  ///
  ///     let ids = Award.select(\.playerID)
  ///     Player.filter { ids.contains($0.id) }
  ///     // SELECT * FROM "player" WHERE "id" IN (SELECT "playerID" FROM "award")
  public func contains(_ element: some SQLExpressible) -> SQLExpression {
    SQLExpression(Membership(element: element.node, collection: .subquery(sqlSubquery)))
  }

  /// Returns whether the subquery has a row.
  ///
  ///     Player.filter { _ in Award.all().exists() }
  ///     // SELECT * FROM "player" WHERE EXISTS (SELECT * FROM "award")
  public func exists() -> SQLExpression {
    SQLExpression(Exists(subquery: sqlSubquery))
  }
}

/// `(SELECT …)`, used as a value.
private struct ScalarSubquery: ExpressionPart {
  let subquery: SQLSubquery

  var isOperand: Bool { true }
  func write(to context: inout SQLContext) throws { try subquery.write(to: &context) }
}

/// `EXISTS (SELECT …)`
private struct Exists: NegatableExpression {
  let subquery: SQLSubquery
  var isNegated = false

  var isOperand: Bool { !isNegated }

  func write(to context: inout SQLContext) throws {
    context.append(isNegated ? "NOT EXISTS " : "EXISTS ")
    try subquery.write(to: &context)
  }
}
