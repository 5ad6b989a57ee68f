/// The `IFNULL` function: the value of an aggregate, or another value where it is NULL. The name of
/// the aggregate remains.
///
///     Team.annotated(with: Team.players.max(Column("score")) ?? 0)
///     // SELECT "team".*, IFNULL(MAX("player"."score"), 0) AS "maxPlayerScore" FROM "team"
///     // LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id"
public func ?? <RowDecoder>(
  left: AssociationAggregate<RowDecoder>,
  right: some SQLExpressible
) -> AssociationAggregate<RowDecoder> {
  AssociationAggregate(left.expression ?? right, key: left.key)
}

/// The `IFNULL` function: the value of an aggregate, or that of another one where it is NULL. The
/// name of the first aggregate remains.
///
///     Team.players.max(Column("score")) ?? Team.players.count
///     // IFNULL(MAX("player"."score"), COUNT(DISTINCT "player"."id"))
public func ?? <RowDecoder>(
  left: AssociationAggregate<RowDecoder>,
  right: AssociationAggregate<RowDecoder>
) -> AssociationAggregate<RowDecoder> {
  AssociationAggregate(left.expression ?? right.expression, key: left.key)
}

/// Returns the absolute value of an aggregate.
///
///     Team.annotated(with: abs(Team.players.min(Column("score"))))
///     // SELECT "team".*, ABS(MIN("player"."score")) FROM "team"
///     // LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id"
public func abs<RowDecoder>(
  _ aggregate: AssociationAggregate<RowDecoder>
) -> AssociationAggregate<RowDecoder> {
  AssociationAggregate(abs(aggregate.expression))
}

/// Converts the value of an aggregate to a type. The name of the aggregate remains.
///
///     Team.annotated(with: cast(Team.players.count, as: .real))
///     // SELECT "team".*, CAST(COUNT(DISTINCT "player"."id") AS REAL) AS "playerCount" FROM "team"
///     // LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id"
public func cast<RowDecoder>(
  _ aggregate: AssociationAggregate<RowDecoder>,
  as type: Database.ColumnType
) -> AssociationAggregate<RowDecoder> {
  AssociationAggregate(cast(aggregate.expression, as: type), key: aggregate.key)
}

/// Returns the number of characters of a text, or of bytes of a blob.
///
///     Team.annotated(with: length(Team.players.max(Column("name"))))
///     // SELECT "team".*, LENGTH(MAX("player"."name")) FROM "team"
///     // LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id"
public func length<RowDecoder>(
  _ aggregate: AssociationAggregate<RowDecoder>
) -> AssociationAggregate<RowDecoder> {
  AssociationAggregate(length(aggregate.expression))
}

/// Rounds the value of an aggregate to the given number of digits after the decimal point; 0 by
/// default.
///
///     Team.annotated(with: round(Team.players.average(Column("score")), 1).forKey("average"))
///     // SELECT "team".*, ROUND(AVG("player"."score"), 1) AS "average" FROM "team"
///     // LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id"
public func round<RowDecoder>(
  _ aggregate: AssociationAggregate<RowDecoder>,
  _ digits: (any SQLExpressible)? = nil
) -> AssociationAggregate<RowDecoder> {
  AssociationAggregate(round(aggregate.expression, digits))
}
