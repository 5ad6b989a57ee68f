/// A value that is computed from the associated rows of each row: their number, their smallest
/// value, …
///
///     Team.annotated(with: Team.players.count)
///     // SELECT "team".*, COUNT(DISTINCT "player"."id") AS "playerCount" FROM "team"
///     // LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id"
///
///     Team.having(Team.players.count >= 2)
///     // SELECT "team".* FROM "team" LEFT JOIN "player" ON "player"."teamID" = "team"."id"
///     // GROUP BY "team"."id" HAVING COUNT(DISTINCT "player"."id") >= 2
///
/// Aggregates combine by Swift's operators, and by some functions: `abs`, `cast`, `length`, …
///
/// An aggregate does not depend on the other aggregates of a request. Where joins would count a row
/// twice, the aggregate is a subquery.
public struct AssociationAggregate<RowDecoder>: Sendable {
  let expression: SQLExpression
  /// The name of the result column; `nil` for the text of the expression.
  private(set) var key: String?

  init(_ expression: SQLExpression, key: String? = nil) {
    self.expression = expression
    self.key = key
  }

  /// Names the result column.
  ///
  ///     Team.annotated(with: Team.players.count.forKey("size"))
  ///     // SELECT "team".*, COUNT(DISTINCT "player"."id") AS "size" FROM "team"
  ///     // LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id"
  public func forKey(_ name: String) -> Self { Self(expression, key: name) }

  /// Names the result column after a coding key.
  ///
  ///     Team.annotated(with: Team.players.count.forKey(TeamInfo.CodingKeys.size))
  ///     // SELECT "team".*, COUNT(DISTINCT "player"."id") AS "size" FROM "team"
  ///     // LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id"
  public func forKey(_ key: some CodingKey) -> Self { forKey(key.stringValue) }

  /// The aggregate as a result column.
  var selection: SQLSelection { key.map { expression.forKey($0) } ?? expression.sqlSelection }
}

extension AssociationAggregate: SQLOrderingTerm {
  /// The aggregate as an ordering term.
  ///
  ///     Team.order(Team.players.count)
  ///     // SELECT "team".* FROM "team" LEFT JOIN "player" ON "player"."teamID" = "team"."id"
  ///     // GROUP BY "team"."id" ORDER BY COUNT(DISTINCT "player"."id")
  public var sqlOrdering: SQLOrdering { expression.sqlOrdering }

  /// The ascending order: smallest value first.
  ///
  ///     Team.order(Team.players.count.asc)
  ///     // SELECT "team".* FROM "team" LEFT JOIN "player" ON "player"."teamID" = "team"."id"
  ///     // GROUP BY "team"."id" ORDER BY COUNT(DISTINCT "player"."id") ASC
  public var asc: SQLOrdering { expression.asc }

  /// The descending order: largest value first.
  ///
  ///     Team.order(Team.players.count.desc)
  ///     // SELECT "team".* FROM "team" LEFT JOIN "player" ON "player"."teamID" = "team"."id"
  ///     // GROUP BY "team"."id" ORDER BY COUNT(DISTINCT "player"."id") DESC
  public var desc: SQLOrdering { expression.desc }
}
