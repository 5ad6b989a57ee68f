// An empty array fits `annotated(with:)` for columns, too: the one for aggregates is disfavored.

extension RefinableRequest {
  /// Adds aggregates of associations to the result columns.
  ///
  ///     Team.all().annotated(with: Team.players.count, Team.players.max { $0.score })
  ///     // SELECT "team".*, COUNT(DISTINCT "player"."id") AS "playerCount",
  ///     // MAX("player"."score") AS "maxPlayerScore" FROM "team"
  ///     // LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id"
  public func annotated(with aggregates: AssociationAggregate<RowDecoder>...) -> Refined {
    annotated(with: aggregates)
  }

  /// Adds aggregates of associations to the result columns.
  ///
  ///     Team.all().annotated(with: [Team.players.count])
  ///     // SELECT "team".*, COUNT(DISTINCT "player"."id") AS "playerCount" FROM "team"
  ///     // LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id"
  @_disfavoredOverload
  public func annotated(with aggregates: [AssociationAggregate<RowDecoder>]) -> Refined {
    annotated(with: aggregates.map(\.selection))
  }

  /// Keeps the rows for which a condition on associated rows is true. Several conditions are joined
  /// with `AND`.
  ///
  ///     Team.all().having(Team.players.count >= 2)
  ///     // SELECT "team".* FROM "team" LEFT JOIN "player" ON "player"."teamID" = "team"."id"
  ///     // GROUP BY "team"."id" HAVING COUNT(DISTINCT "player"."id") >= 2
  public func having(_ condition: AssociationAggregate<RowDecoder>) -> Refined {
    having(condition.expression)
  }
}

extension TableRecord {
  /// Adds aggregates of associations to the result columns.
  ///
  ///     Team.annotated(with: Team.players.count)
  ///     // SELECT "team".*, COUNT(DISTINCT "player"."id") AS "playerCount" FROM "team"
  ///     // LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id"
  public static func annotated(
    with aggregates: AssociationAggregate<Self>...
  ) -> QueryInterfaceRequest<Self> {
    all().annotated(with: aggregates)
  }

  /// Adds aggregates of associations to the result columns.
  ///
  ///     Team.annotated(with: [Team.players.count])
  ///     // SELECT "team".*, COUNT(DISTINCT "player"."id") AS "playerCount" FROM "team"
  ///     // LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id"
  public static func annotated(
    with aggregates: [AssociationAggregate<Self>]
  ) -> QueryInterfaceRequest<Self> {
    all().annotated(with: aggregates)
  }

  /// Returns a request for the rows for which a condition on associated rows is true.
  ///
  ///     Team.having(Team.players.isEmpty)
  ///     // SELECT "team".* FROM "team" LEFT JOIN "player" ON "player"."teamID" = "team"."id"
  ///     // GROUP BY "team"."id" HAVING COUNT(DISTINCT "player"."id") = 0
  public static func having(
    _ condition: AssociationAggregate<Self>
  ) -> QueryInterfaceRequest<Self> {
    all().having(condition)
  }
}
