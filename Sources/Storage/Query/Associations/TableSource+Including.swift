extension TableSource {
  /// Returns a request for all rows with their associated rows. Rows without one are dropped: see
  /// ``DerivableRequest/including(required:)``.
  ///
  ///     Table<Player>("player").including(required: Player.team)
  ///     // SELECT "player".*, "team".* FROM "player"
  ///     // JOIN "team" ON "team"."id" = "player"."teamID"
  public func including<A: Association>(
    required association: A
  ) -> QueryInterfaceRequest<RowDecoder> where A.OriginRowDecoder == RowDecoder {
    all().including(required: association)
  }

  /// Returns a request for all rows with their associated rows, or NULL where there is none: see
  /// ``DerivableRequest/including(optional:)``.
  ///
  ///     Table<Player>("player").including(optional: Player.team)
  ///     // SELECT "player".*, "team".* FROM "player"
  ///     // LEFT JOIN "team" ON "team"."id" = "player"."teamID"
  public func including<A: Association>(
    optional association: A
  ) -> QueryInterfaceRequest<RowDecoder> where A.OriginRowDecoder == RowDecoder {
    all().including(optional: association)
  }

  /// Returns a request for all rows with all of their associated rows: see
  /// ``DerivableRequest/including(all:)``.
  ///
  ///     Table<Team>("team").including(all: Team.players)
  ///     // SELECT * FROM "team"
  ///     // SELECT * FROM "player" WHERE "teamID" IN (1, 2, 3)
  public func including<A: AssociationToMany>(
    all association: A
  ) -> QueryInterfaceRequest<RowDecoder> where A.OriginRowDecoder == RowDecoder {
    all().including(all: association)
  }

  /// Returns a request for the rows that have an associated row: see
  /// ``DerivableRequest/joining(required:)``.
  ///
  ///     Table<Player>("player").joining(required: Player.team)
  ///     // SELECT "player".* FROM "player" JOIN "team" ON "team"."id" = "player"."teamID"
  public func joining<A: Association>(
    required association: A
  ) -> QueryInterfaceRequest<RowDecoder> where A.OriginRowDecoder == RowDecoder {
    all().joining(required: association)
  }

  /// Returns a request that joins the associated rows: see ``DerivableRequest/joining(optional:)``.
  ///
  ///     Table<Player>("player").joining(optional: Player.team.order(\.name))
  ///     // SELECT "player".* FROM "player"
  ///     // LEFT JOIN "team" ON "team"."id" = "player"."teamID" ORDER BY "team"."name"
  public func joining<A: Association>(
    optional association: A
  ) -> QueryInterfaceRequest<RowDecoder> where A.OriginRowDecoder == RowDecoder {
    all().joining(optional: association)
  }

  /// Returns a request for all rows with columns of their associated rows: see
  /// ``DerivableRequest/annotated(withRequired:)``.
  ///
  ///     let teamName = Player.team.select { $0.name.forKey("teamName") }
  ///     Table<Player>("player").annotated(withRequired: teamName)
  ///     // SELECT "player".*, "team"."name" AS "teamName" FROM "player"
  ///     // JOIN "team" ON "team"."id" = "player"."teamID"
  public func annotated<A: Association>(
    withRequired association: A
  ) -> QueryInterfaceRequest<RowDecoder> where A.OriginRowDecoder == RowDecoder {
    all().annotated(withRequired: association)
  }

  /// Returns a request for all rows with columns of their associated rows, or NULL: see
  /// ``DerivableRequest/annotated(withOptional:)``.
  ///
  ///     let teamName = Player.team.select { $0.name.forKey("teamName") }
  ///     Table<Player>("player").annotated(withOptional: teamName)
  ///     // SELECT "player".*, "team"."name" AS "teamName" FROM "player"
  ///     // LEFT JOIN "team" ON "team"."id" = "player"."teamID"
  public func annotated<A: Association>(
    withOptional association: A
  ) -> QueryInterfaceRequest<RowDecoder> where A.OriginRowDecoder == RowDecoder {
    all().annotated(withOptional: association)
  }
}
