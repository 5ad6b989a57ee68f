extension AssociationToMany {
  /// The number of associated rows. The name of the column is like `playerCount`.
  ///
  ///     Team.annotated(with: Team.players.count)
  ///     // SELECT "team".*, COUNT(DISTINCT "player"."id") AS "playerCount" FROM "team"
  ///     // LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id"
  ///
  /// Each associated row counts once, also if several rows of a table between lead to it:
  /// `including(all:)` fetches it once for each of these, unless the association is `distinct()`.
  public var count: AssociationAggregate<OriginRowDecoder> {
    AssociationAggregate(SQLExpression(rowCount), key: "\(name)Count")
  }

  /// Whether there is no associated row. The name of the column is like `hasNoPlayer`.
  ///
  ///     Team.having(Team.players.isEmpty)
  ///     // SELECT "team".* FROM "team" LEFT JOIN "player" ON "player"."teamID" = "team"."id"
  ///     // GROUP BY "team"."id" HAVING COUNT(DISTINCT "player"."id") = 0
  public var isEmpty: AssociationAggregate<OriginRowDecoder> {
    AssociationAggregate(
      SQLExpression(AssociationEmptiness(count: rowCount)),
      key: "hasNo\(name.capitalizedFirst)"
    )
  }

  private var rowCount: AssociationAggregateCall { AssociationAggregateCall(path, .rowCount) }

  /// The name of one associated row. Names of columns are made from it.
  private var name: String { path.key.plural.singularized }

  // MARK: - Values

  /// Returns the number of values of the associated rows that are not NULL. The name of the column
  /// is like `playerEmailCount`.
  ///
  ///     Team.annotated(with: Team.players.count(Column("email")))
  ///     // SELECT "team".*, COUNT("player"."email") AS "playerEmailCount" FROM "team"
  ///     // LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id"
  public func count(_ value: any SQLFunctionArgument) -> AssociationAggregate<OriginRowDecoder> {
    aggregate(.valueCount, value) { _, column in "\(name)\(column)Count" }
  }

  /// Returns the number of distinct values of the associated rows that are not NULL. The name of
  /// the column is like `distinctPlayerColorCount`.
  ///
  ///     Team.annotated(with: Team.players.count(distinct: Column("color")))
  ///     // SELECT "team".*, COUNT(DISTINCT "player"."color") AS "distinctPlayerColorCount"
  ///     // FROM "team" LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id"
  public func count(
    distinct value: any SQLFunctionArgument
  ) -> AssociationAggregate<OriginRowDecoder> {
    aggregate(.distinctValueCount, value) { "distinct\($0)\($1)Count" }
  }

  /// Returns the smallest value of the associated rows, or NULL if there is none. The name of the
  /// column is like `minPlayerScore`.
  ///
  ///     Team.annotated(with: Team.players.min(Column("score")))
  ///     // SELECT "team".*, MIN("player"."score") AS "minPlayerScore" FROM "team"
  ///     // LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id"
  public func min(_ value: any SQLFunctionArgument) -> AssociationAggregate<OriginRowDecoder> {
    aggregate(.min, value) { "min\($0)\($1)" }
  }

  /// Returns the largest value of the associated rows, or NULL if there is none. The name of the
  /// column is like `maxPlayerScore`.
  ///
  ///     Team.annotated(with: Team.players.max(Column("score")))
  ///     // SELECT "team".*, MAX("player"."score") AS "maxPlayerScore" FROM "team"
  ///     // LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id"
  public func max(_ value: any SQLFunctionArgument) -> AssociationAggregate<OriginRowDecoder> {
    aggregate(.max, value) { "max\($0)\($1)" }
  }

  /// Returns the average of the values of the associated rows, or NULL if there is none. The name
  /// of the column is like `averagePlayerScore`.
  ///
  ///     Team.annotated(with: Team.players.average(Column("score")))
  ///     // SELECT "team".*, AVG("player"."score") AS "averagePlayerScore" FROM "team"
  ///     // LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id"
  public func average(_ value: any SQLFunctionArgument) -> AssociationAggregate<OriginRowDecoder> {
    aggregate(.average, value) { "average\($0)\($1)" }
  }

  /// Returns the sum of the values of the associated rows, or NULL if there is none. The name of
  /// the column is like `playerScoreSum`.
  ///
  ///     Team.annotated(with: Team.players.sum(Column("score")))
  ///     // SELECT "team".*, SUM("player"."score") AS "playerScoreSum" FROM "team"
  ///     // LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id"
  public func sum(_ value: any SQLFunctionArgument) -> AssociationAggregate<OriginRowDecoder> {
    aggregate(.sum, value) { _, column in "\(name)\(column)Sum" }
  }

  /// Returns the sum of the values of the associated rows as a floating point number, or 0.0 if
  /// there is none. The name of the column is like `playerScoreSum`.
  ///
  ///     Team.annotated(with: Team.players.total(Column("score")))
  ///     // SELECT "team".*, TOTAL("player"."score") AS "playerScoreSum" FROM "team"
  ///     // LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id"
  public func total(_ value: any SQLFunctionArgument) -> AssociationAggregate<OriginRowDecoder> {
    aggregate(.total, value) { _, column in "\(name)\(column)Sum" }
  }

  /// Returns the aggregate of a value. It has a name if the value is a column.
  private func aggregate(
    _ function: AssociationAggregateCall.Function,
    _ value: any SQLFunctionArgument,
    _ key: (_ name: String, _ column: String) -> String
  ) -> AssociationAggregate<OriginRowDecoder> {
    let column = (value.node.part as? ColumnReference)?.name.capitalizedFirst
    return AssociationAggregate(
      SQLExpression(AssociationAggregateCall(path, function, value.node)),
      key: column.map { key(name.capitalizedFirst, $0) }
    )
  }
}

// MARK: - Closures

extension AssociationToMany where RowDecoder: TableRecord {
  /// Returns the smallest value of the associated rows, or NULL if there is none.
  ///
  ///     Team.annotated(with: Team.players.min { $0.score })
  ///     // SELECT "team".*, MIN("player"."score") AS "minPlayerScore" FROM "team"
  ///     // LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id"
  public func min(
    _ value: (RowDecoder.DatabaseComponents) throws -> some SQLFunctionArgument
  ) rethrows -> AssociationAggregate<OriginRowDecoder> {
    min(try value(RowDecoder.databaseComponents))
  }

  /// Returns the largest value of the associated rows, or NULL if there is none.
  ///
  ///     Team.annotated(with: Team.players.max(\.score))
  ///     // SELECT "team".*, MAX("player"."score") AS "maxPlayerScore" FROM "team"
  ///     // LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id"
  public func max(
    _ value: (RowDecoder.DatabaseComponents) throws -> some SQLFunctionArgument
  ) rethrows -> AssociationAggregate<OriginRowDecoder> {
    max(try value(RowDecoder.databaseComponents))
  }

  /// Returns the average of the values of the associated rows, or NULL if there is none.
  ///
  ///     Team.annotated(with: Team.players.average { $0.score })
  ///     // SELECT "team".*, AVG("player"."score") AS "averagePlayerScore" FROM "team"
  ///     // LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id"
  public func average(
    _ value: (RowDecoder.DatabaseComponents) throws -> some SQLFunctionArgument
  ) rethrows -> AssociationAggregate<OriginRowDecoder> {
    average(try value(RowDecoder.databaseComponents))
  }

  /// Returns the sum of the values of the associated rows, or NULL if there is none.
  ///
  ///     Team.annotated(with: Team.players.sum { $0.score })
  ///     // SELECT "team".*, SUM("player"."score") AS "playerScoreSum" FROM "team"
  ///     // LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id"
  public func sum(
    _ value: (RowDecoder.DatabaseComponents) throws -> some SQLFunctionArgument
  ) rethrows -> AssociationAggregate<OriginRowDecoder> {
    sum(try value(RowDecoder.databaseComponents))
  }

  /// Returns the sum of the values of the associated rows as a floating point number, or 0.0 if
  /// there is none.
  ///
  ///     Team.annotated(with: Team.players.total { $0.score })
  ///     // SELECT "team".*, TOTAL("player"."score") AS "playerScoreSum" FROM "team"
  ///     // LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id"
  public func total(
    _ value: (RowDecoder.DatabaseComponents) throws -> some SQLFunctionArgument
  ) rethrows -> AssociationAggregate<OriginRowDecoder> {
    total(try value(RowDecoder.databaseComponents))
  }
}

extension String {
  /// The name, beginning with a capital letter.
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
