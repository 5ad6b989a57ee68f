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

/// A query inside another statement.
///
///     let maximum = Player.select { max($0.score) }
///     Player.filter { $0.score == maximum }
///     // SELECT * FROM "player" WHERE "score" = (SELECT MAX("score") FROM "player")
public struct SQLSubquery: Hashable, Sendable {
  /// The query.
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

  /// The SQL of the query, as far as it is known without a schema.
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
protocol Subquery: SQLStatement {}

extension Subquery {
  fileprivate func isEqual(to other: any Subquery) -> Bool {
    (other as? Self) == self
  }
}

extension SQLSubquery: SQLSubqueryable {
  /// The subquery itself.
  public var sqlSubquery: SQLSubquery { self }
}

/// The query of a request of any type, used as a subquery: it is the SQL of the statement that the
/// request prepares.
struct PreparedSubquery: Subquery {
  private let request: any FetchRequest
  /// The identity of the subquery if the request has no equality.
  private let identity = Identity()

  private final class Identity: Sendable {}

  init(_ request: some FetchRequest) {
    self.request = request
  }

  static func == (left: PreparedSubquery, right: PreparedSubquery) -> Bool {
    guard let request = left.request as? any Hashable else {
      return left.identity === right.identity
    }
    return AnyHashable(request) == (right.request as? any Hashable).map { AnyHashable($0) }
  }

  func hash(into hasher: inout Hasher) {
    guard let request = request as? any Hashable else {
      return hasher.combine(ObjectIdentifier(identity))
    }
    hasher.combine(request)
  }

  func write(to context: inout SQLContext) throws {
    // Without a schema, the SQL is for display only.
    guard let db = context.db else { return context.append("…") }
    let statement = try request.makePreparedRequest(db).statement
    try context.append(statement.sql, arguments: statement.arguments)
  }
}

/// A statement that writes itself as SQL: `SELECT`, `INSERT`, `UPDATE` or `DELETE`.
protocol SQLStatement: Hashable, Sendable {
  /// Writes the statement, without parentheses.
  func write(to context: inout SQLContext) throws
}

extension SQLStatement {
  /// Returns the cached statement, or compiles it, and binds its arguments.
  func prepare(_ db: Database) throws -> Statement {
    try db.cachedStatement { try write(to: &$0) }
  }
}
