extension RefinableRequest {
  /// Groups rows with equal values, and returns one row for each group. A later grouping replaces
  /// an earlier one.
  ///
  ///     Player.select(Column("teamID"), max(Column("score"))).group(Column("teamID"))
  ///     // SELECT "teamID", MAX("score") FROM "player" GROUP BY "teamID"
  public func group(_ expressions: any SQLExpressible...) -> Refined { group(expressions) }

  /// Groups rows with equal values, and returns one row for each group.
  ///
  ///     Player.select(Column("teamID"), max(Column("score"))).group([Column("teamID")])
  ///     // SELECT "teamID", MAX("score") FROM "player" GROUP BY "teamID"
  public func group(_ expressions: [any SQLExpressible]) -> Refined {
    refined { $0.group = GroupByClause(expressions: expressions.map(\.node)) }
  }

  /// Groups rows with equal values of terms in SQL, and returns one row for each group.
  ///
  ///     Player.select(sql: "DATE(createdAt), COUNT(*)").group(sql: "DATE(createdAt)")
  ///     // SELECT DATE(createdAt), COUNT(*) FROM "player" GROUP BY DATE(createdAt)
  public func group(
    sql: String,
    arguments: StatementArguments = StatementArguments()
  ) -> Refined {
    group(SQL(sql: sql, arguments: arguments))
  }

  /// Groups rows with equal values of terms in SQL, and returns one row for each group.
  ///
  ///     Player.select(sql: "score / 10, COUNT(*)").group(literal: "score / \(10)")
  ///     // SELECT score / 10, COUNT(*) FROM "player" GROUP BY score / 10
  public func group(literal: SQL) -> Refined { group(literal) }

  /// Groups rows by their primary key.
  ///
  ///     Player.all().groupByPrimaryKey()
  ///     // SELECT * FROM "player" GROUP BY "id"
  public func groupByPrimaryKey() -> Refined { group(SQLExpression(PrimaryKeyColumns())) }
}

extension RefinableRequest where RowDecoder: TableRecord {
  /// Groups rows with equal values, and returns one row for each group. A later grouping replaces
  /// an earlier one.
  ///
  ///     Player.select { [$0.teamID, $0.score / 10] }.group { [$0.teamID, $0.score / 10] }
  ///     // SELECT "teamID", "score" / 10 FROM "player" GROUP BY "teamID", "score" / 10
  public func group(
    _ expressions: (RowDecoder.DatabaseComponents) throws -> [any SQLExpressible]
  ) rethrows -> Refined {
    group(try expressions(RowDecoder.databaseComponents))
  }

  /// Groups rows with equal values, and returns one row for each group. A later grouping replaces
  /// an earlier one.
  ///
  ///     Player.select { [$0.teamID, max($0.score)] }.group(\.teamID)
  ///     // SELECT "teamID", MAX("score") FROM "player" GROUP BY "teamID"
  public func group(
    _ expression: (RowDecoder.DatabaseComponents) throws -> some SQLExpressible
  ) rethrows -> Refined {
    group([try expression(RowDecoder.databaseComponents)])
  }
}
