/// A request whose refinements have its own type.
///
/// Extend the protocol to name frequent refinements:
///
///     extension DerivableRequest<Player> {
///       func leading() -> Self { filter { $0.score >= 1000 }.order(\.score.desc) }
///     }
///     let players = try Player.all().leading().fetchAll(db)
///     // SELECT * FROM "player" WHERE "score" >= 1000 ORDER BY "score" DESC
///
/// ``RefinableRequest`` has the refinements.
public protocol DerivableRequest<RowDecoder>: RefinableRequest where Refined == Self {
  /// The query.
  var selectStatement: SelectStatement { get set }
}

extension DerivableRequest {
  /// Returns the request itself.
  ///
  ///     Player.limit(1).all()
  ///     // SELECT * FROM "player" LIMIT 1
  public func all() -> Self { self }

  /// Returns a changed copy.
  func changed(_ change: (inout Self) throws -> Void) rethrows -> Self {
    var copy = self
    try change(&copy)
    return copy
  }
}
