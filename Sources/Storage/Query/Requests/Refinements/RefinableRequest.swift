/// A value that can be refined to a request: a request itself, or a ``Table``.
///
///     let request = Table<Player>("player_2026").filter { $0.score >= 1000 }.order(\.score.desc)
///     let players = try request.fetchAll(db)
///     // SELECT * FROM "player_2026" WHERE "score" >= 1000 ORDER BY "score" DESC
///
/// A refinement returns another request, and leaves this one as it is. `filter`, `having` and
/// `annotated` add to earlier calls; `select`, `group`, `order` and `limit` replace them.
///
/// To name refinements of your own, extend ``DerivableRequest``.
public protocol RefinableRequest<RowDecoder> {
  /// The type that the rows are fetched as.
  associatedtype RowDecoder

  /// The type of the refined requests: for a request, its own type.
  associatedtype Refined: DerivableRequest where Refined.RowDecoder == RowDecoder

  /// Returns the request without a further refinement; for a table, the request for all rows.
  ///
  ///     Table("users").all()
  ///     // SELECT * FROM "users"
  func all() -> Refined
}

extension RefinableRequest {
  /// Returns a request with a changed query.
  func refined(_ change: (inout SelectStatement) throws -> Void) rethrows -> Refined {
    var request = all()
    try change(&request.selectStatement)
    return request
  }

  // MARK: - Rows

  /// Selects no row.
  ///
  ///     Player.all().none()
  ///     // SELECT * FROM "player" WHERE 0
  public func none() -> Refined { filter(false.sqlExpression) }

  /// Removes duplicate rows.
  ///
  ///     Player.select(\.name).distinct()
  ///     // SELECT DISTINCT "name" FROM "player"
  public func distinct() -> Refined { refined { $0.select.isDistinct = true } }

  /// Limits the number of rows, optionally after an offset. A later limit replaces an earlier one.
  ///
  ///     Player.limit(10, offset: 20)
  ///     // SELECT * FROM "player" LIMIT 10 OFFSET 20
  public func limit(_ count: Int, offset: Int? = nil) -> Refined {
    refined { $0.limit = LimitClause(count: count, offset: offset) }
  }
}
