/// A type that can stand in another statement as a subquery: a request.
public protocol SQLSubqueryable: SQLSpecificExpressible, SQLCondition {
  /// The subquery.
  var sqlSubquery: SQLSubquery { get }
}

/// A query inside another statement.
///
///     let maximum = Player.select { max($0.score) }
///     Player.filter { $0.score == maximum }
///     // SELECT * FROM "player" WHERE "score" = (SELECT MAX("score") FROM "player")
public struct SQLSubquery: Hashable, Sendable {
  /// What can be asked for.
  let query: any Subquery

  init(_ query: some Subquery) {
    self.query = query
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public static func == (left: SQLSubquery, right: SQLSubquery) -> Bool {
    left.query.isEqual(to: right.query)
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public func hash(into hasher: inout Hasher) {
    hasher.combine(query)
  }

  /// The query, as far as it is known without a schema.
  var description: String {
    var context = SQLContext()
    do {
      try query.write(to: &context)
      return context.sql
    } catch {
      return "\(error)"
    }
  }

  /// Writes the query, in parentheses.
  func write(to context: inout SQLContext) throws {
    context.append("(")
    try query.write(to: &context)
    context.append(")")
  }
}

/// A query that can be written into another statement.
protocol Subquery: Hashable, Sendable {
  /// Writes the query, without parentheses.
  func write(to context: inout SQLContext) throws
}

extension Subquery {
  fileprivate func isEqual(to other: any Subquery) -> Bool {
    (other as? Self) == self
  }
}

extension SQLSubquery: SQLSubqueryable {
  /// The subquery itself.
  public var sqlSubquery: SQLSubquery { self }
}

extension SQLSubqueryable {
  /// The subquery as an expression: the first column of its first row.
  ///
  ///     Player.filter { $0.score == maximum }
  ///     // SELECT * FROM "player" WHERE "score" = (SELECT MAX("score") FROM "player")
  public var sqlExpression: SQLExpression { SQLExpression(ScalarSubquery(subquery: sqlSubquery)) }

  /// Whether an expression is among the values of the subquery.
  ///
  ///     let ids = Award.select(\.playerID)
  ///     Player.filter { ids.contains($0.id) }
  ///     // SELECT * FROM "player" WHERE "id" IN (SELECT "playerID" FROM "award")
  public func contains(_ element: some SQLSpecificExpressible) -> SQLExpression {
    SQLExpression(Membership(element: element.node, collection: .subquery(sqlSubquery)))
  }

  /// Whether the subquery has a row.
  ///
  ///     Player.filter { _ in Award.all().exists() }
  ///     // SELECT * FROM "player" WHERE EXISTS (SELECT * FROM "award")
  public func exists() -> SQLExpression {
    SQLExpression(Exists(subquery: sqlSubquery))
  }
}

/// The first value of a subquery.
private struct ScalarSubquery: ExpressionPart {
  let subquery: SQLSubquery

  var isOperand: Bool { true }
  func write(to context: inout SQLContext) throws { try subquery.write(to: &context) }
}

/// Whether a subquery has a row.
private struct Exists: NegatableExpression {
  let subquery: SQLSubquery
  var isNegated = false

  var isOperand: Bool { !isNegated }

  func write(to context: inout SQLContext) throws {
    context.append(isNegated ? "NOT EXISTS " : "EXISTS ")
    try subquery.write(to: &context)
  }
}
