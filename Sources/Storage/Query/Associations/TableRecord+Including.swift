extension TableRecord {
  /// Returns a request for all rows with their associated rows. Rows without one are dropped: see
  /// ``RefinableRequest/including(required:)``.
  ///
  ///     Player.including(required: Player.team)
  ///     // SELECT "player".*, "team".* FROM "player"
  ///     // JOIN "team" ON "team"."id" = "player"."teamID"
  public static func including<A: Association>(
    required association: A
  ) -> QueryInterfaceRequest<Self> where A.OriginRowDecoder == Self {
    all().including(required: association)
  }

  /// Returns a request for all rows with their associated rows, or NULL where there is none: see
  /// ``RefinableRequest/including(optional:)``.
  ///
  ///     Player.including(optional: Player.team)
  ///     // SELECT "player".*, "team".* FROM "player"
  ///     // LEFT JOIN "team" ON "team"."id" = "player"."teamID"
  public static func including<A: Association>(
    optional association: A
  ) -> QueryInterfaceRequest<Self> where A.OriginRowDecoder == Self {
    all().including(optional: association)
  }

  /// Returns a request for all rows with all of their associated rows: see
  /// ``RefinableRequest/including(all:)``.
  ///
  ///     Team.including(all: Team.players)
  ///     // SELECT * FROM "team"
  ///     // SELECT * FROM "player" WHERE "teamID" IN (1, 2, 3)
  public static func including<A: AssociationToMany>(
    all association: A
  ) -> QueryInterfaceRequest<Self> where A.OriginRowDecoder == Self {
    all().including(all: association)
  }

  /// Returns a request for the rows that have an associated row: see
  /// ``RefinableRequest/joining(required:)``.
  ///
  ///     Player.joining(required: Player.team)
  ///     // SELECT "player".* FROM "player" JOIN "team" ON "team"."id" = "player"."teamID"
  public static func joining<A: Association>(
    required association: A
  ) -> QueryInterfaceRequest<Self> where A.OriginRowDecoder == Self {
    all().joining(required: association)
  }

  /// Returns a request that joins the associated rows: see ``RefinableRequest/joining(optional:)``.
  ///
  ///     Player.joining(optional: Player.team.order(\.name))
  ///     // SELECT "player".* FROM "player"
  ///     // LEFT JOIN "team" ON "team"."id" = "player"."teamID" ORDER BY "team"."name"
  public static func joining<A: Association>(
    optional association: A
  ) -> QueryInterfaceRequest<Self> where A.OriginRowDecoder == Self {
    all().joining(optional: association)
  }

  /// Returns a request for all rows with columns of their associated rows: see
  /// ``RefinableRequest/annotated(withRequired:)``.
  ///
  ///     Player.annotated(withRequired: Player.team.select { $0.name.forKey("teamName") })
  ///     // SELECT "player".*, "team"."name" AS "teamName" FROM "player"
  ///     // JOIN "team" ON "team"."id" = "player"."teamID"
  public static func annotated<A: Association>(
    withRequired association: A
  ) -> QueryInterfaceRequest<Self> where A.OriginRowDecoder == Self {
    all().annotated(withRequired: association)
  }

  /// Returns a request for all rows with columns of their associated rows, or NULL: see
  /// ``RefinableRequest/annotated(withOptional:)``.
  ///
  ///     Player.annotated(withOptional: Player.team.select { $0.name.forKey("teamName") })
  ///     // SELECT "player".*, "team"."name" AS "teamName" FROM "player"
  ///     // LEFT JOIN "team" ON "team"."id" = "player"."teamID"
  public static func annotated<A: Association>(
    withOptional association: A
  ) -> QueryInterfaceRequest<Self> where A.OriginRowDecoder == Self {
    all().annotated(withOptional: association)
  }
}
