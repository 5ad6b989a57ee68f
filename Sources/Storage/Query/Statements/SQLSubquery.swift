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
