// Associations by a condition that is not a foreign key.

extension TableRecord {
  /// Returns the association with the rows of a table, or of a common table expression, that fulfil
  /// a condition.
  ///
  ///     let best = CommonTableExpression<Row>(
  ///       named: "best",
  ///       request: Player.select { [$0.teamID, max($0.score).forKey("score")] }.group(\.teamID)
  ///     )
  ///     let association = Team.association(to: best) { team, best in
  ///       best[Column("teamID")] == team.id
  ///     }
  ///     Team.including(optional: association).with(best)
  ///     // WITH "best" AS (…) SELECT "team".*, "best".* FROM "team"
  ///     // LEFT JOIN "best" ON "best"."teamID" = "team"."id"
  ///
  /// The request also needs the common table expression itself: see
  /// ``RefinableRequest/with(_:)``. Each row is joined with all rows for which the condition is
  /// true. They cannot be fetched apart, by `including(all:)`.
  ///
  /// - Parameters:
  ///   - destination: The table of the associated rows. Its name is also the name of the
  ///     association.
  ///   - condition: A closure that returns the condition between a row of this type and a row of
  ///     the other table.
  /// - Returns: The association, which is refined like a request.
  public static func association<Destination: TableSource>(
    to destination: Destination,
    on condition: (TableAlias<Self>, TableAlias<Destination.RowDecoder>) throws ->
      some SQLCondition
  ) rethrows -> JoinAssociation<Self, Destination.RowDecoder> {
    try JoinAssociation(databaseTableName, destination.rows, on: condition)
  }

  /// Returns the association with all rows of a table, or of a common table expression.
  ///
  ///     let limits = CommonTableExpression<Row>(named: "limits", sql: "SELECT 10 AS low")
  ///     Player.including(required: Player.association(to: limits)).with(limits)
  ///     // WITH "limits" AS (SELECT 10 AS low)
  ///     // SELECT "player".*, "limits".* FROM "player" JOIN "limits"
  ///
  /// Filters of the association are conditions of the join.
  public static func association<Destination: TableSource>(
    to destination: Destination
  ) -> JoinAssociation<Self, Destination.RowDecoder> {
    JoinAssociation(destination.rows)
  }
}

extension TableSource {
  /// Returns the association with the rows of another table, or of a common table expression, that
  /// fulfil a condition: see ``TableRecord/association(to:on:)``.
  ///
  ///     let teams = Table("team"), players = Table("player")
  ///     let captain = teams.association(to: players) { team, player in
  ///       player[Column("id")] == team[Column("captainID")]
  ///     }
  ///     teams.including(optional: captain.forKey("captain"))
  ///     // SELECT "team".*, "player".* FROM "team"
  ///     // LEFT JOIN "player" ON "player"."id" = "team"."captainID"
  public func association<Destination: TableSource>(
    to destination: Destination,
    on condition: (TableAlias<RowDecoder>, TableAlias<Destination.RowDecoder>) throws ->
      some SQLCondition
  ) rethrows -> JoinAssociation<RowDecoder, Destination.RowDecoder> {
    try JoinAssociation(rows.from.table.tableName, destination.rows, on: condition)
  }

  /// Returns the association with the rows of a record type for which a condition is true: see
  /// ``TableRecord/association(to:on:)``.
  ///
  ///     let leaders = CommonTableExpression<Row>(
  ///       named: "leader", request: Player.select(\.teamID).order(\.score.desc).limit(3))
  ///     let team = leaders.association(to: Team.self) { leader, team in
  ///       team.id == leader[Column("teamID")]
  ///     }
  ///     leaders.all().including(required: team).with(leaders)
  ///     // WITH "leader" AS (…) SELECT "leader".*, "team".* FROM "leader"
  ///     // JOIN "team" ON "team"."id" = "leader"."teamID"
  public func association<Destination: TableRecord>(
    to destination: Destination.Type,
    on condition: (TableAlias<RowDecoder>, TableAlias<Destination>) throws -> some SQLCondition
  ) rethrows -> JoinAssociation<RowDecoder, Destination> {
    try JoinAssociation(rows.from.table.tableName, destination.rows, on: condition)
  }

  /// Returns the association with all rows of another table, or of a common table expression: see
  /// ``TableRecord/association(to:)``.
  ///
  ///     let limits = CommonTableExpression<Row>(named: "limits", sql: "SELECT 10 AS low")
  ///     let players = Table("player")
  ///     players.including(required: players.association(to: limits)).with(limits)
  ///     // WITH "limits" AS (SELECT 10 AS low)
  ///     // SELECT "player".*, "limits".* FROM "player" JOIN "limits"
  public func association<Destination: TableSource>(
    to destination: Destination
  ) -> JoinAssociation<RowDecoder, Destination.RowDecoder> {
    JoinAssociation(destination.rows)
  }

  /// Returns the association with all rows of a record type: see ``TableRecord/association(to:)``.
  ///
  ///     let limits = CommonTableExpression<Row>(named: "limits", sql: "SELECT 10 AS low")
  ///     limits.all().joining(required: limits.association(to: Player.self)).with(limits)
  ///     // WITH "limits" AS (SELECT 10 AS low) SELECT "limits".* FROM "limits" JOIN "player"
  public func association<Destination: TableRecord>(
    to destination: Destination.Type
  ) -> JoinAssociation<RowDecoder, Destination> {
    JoinAssociation(destination.rows)
  }
}

extension JoinAssociation {
  /// Creates the association with all rows.
  fileprivate init(_ rows: SelectStatement) {
    self.init(AssociationPath(.expression(nil), singular: nil, to: rows))
  }

  /// Creates the association with the rows for which a condition is true.
  fileprivate init(
    _ origin: String,
    _ rows: SelectStatement,
    on condition: (TableAlias<Origin>, TableAlias<Destination>) throws -> some SQLCondition
  ) rethrows {
    let ends = (
      TableReference(tableName: origin, identities: [.origin]),
      TableReference(tableName: rows.from.table.tableName, identities: [.destination])
    )
    let expression = try condition(TableAlias(reference: ends.0), TableAlias(reference: ends.1))
    self.init(AssociationPath(.expression(expression.node), singular: nil, to: rows))
  }
}
