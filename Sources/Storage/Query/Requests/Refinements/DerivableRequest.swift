/// A request that can be refined: filtered, sorted, limited, …
///
/// Extend the protocol to name frequent refinements:
///
///     extension DerivableRequest<Player> {
///       func leading() -> Self { filter { $0.score >= 1000 }.order(\.score.desc) }
///     }
///     let players = try Player.all().leading().fetchAll(db)
///     // SELECT * FROM "player" WHERE "score" >= 1000 ORDER BY "score" DESC
///
/// `filter`, `having` and `annotated` add to earlier calls; `select`, `group`, `order` and `limit`
/// replace them.
public protocol DerivableRequest<RowDecoder> {
  /// The type that the rows are fetched as.
  associatedtype RowDecoder

  /// The query.
  var selectStatement: SelectStatement { get set }
}

extension DerivableRequest {
  /// Returns a changed copy.
  func changed(_ change: (inout Self) throws -> Void) rethrows -> Self {
    var copy = self
    try change(&copy)
    return copy
  }

  // MARK: - Rows

  /// Selects no row.
  ///
  ///     Player.all().none()
  ///     // SELECT * FROM "player" WHERE 0
  public func none() -> Self { filter(false.sqlExpression) }

  /// Removes duplicate rows.
  ///
  ///     Player.select(\.name).distinct()
  ///     // SELECT DISTINCT "name" FROM "player"
  public func distinct() -> Self { changed { $0.selectStatement.select.isDistinct = true } }

  /// Limits the number of rows, optionally after an offset. A later limit replaces an earlier one.
  ///
  ///     Player.limit(10, offset: 20)
  ///     // SELECT * FROM "player" LIMIT 10 OFFSET 20
  public func limit(_ count: Int, offset: Int? = nil) -> Self {
    changed { $0.selectStatement.limit = LimitClause(count: count, offset: offset) }
  }
}
