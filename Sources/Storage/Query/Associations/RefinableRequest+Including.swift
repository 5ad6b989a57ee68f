extension RefinableRequest {
  /// Adds the associated row of each row. Rows without one are dropped.
  ///
  ///     Player.all().including(required: Player.team)
  ///     // SELECT "player".*, "team".* FROM "player"
  ///     // JOIN "team" ON "team"."id" = "player"."teamID"
  ///
  /// In the fetched rows, the columns of the associated row form a scope that has the name of the
  /// association.
  public func including<A: Association>(required association: A) -> Refined
  where A.OriginRowDecoder == RowDecoder {
    adding(association, .joined(isRequired: true), .scope)
  }

  /// Adds the associated row of each row, or NULL where a row has none.
  ///
  ///     Player.all().including(optional: Player.team)
  ///     // SELECT "player".*, "team".* FROM "player"
  ///     // LEFT JOIN "team" ON "team"."id" = "player"."teamID"
  public func including<A: Association>(optional association: A) -> Refined
  where A.OriginRowDecoder == RowDecoder {
    adding(association, .joined(isRequired: false), .scope)
  }

  /// Adds all associated rows of each row. One more statement fetches them for all rows.
  ///
  ///     Team.all().including(all: Team.players)
  ///     // SELECT * FROM "team"
  ///     // SELECT * FROM "player" WHERE "teamID" IN (1, 2, 3)
  ///
  /// In the fetched rows, ``Row/prefetchedRows`` has them under the name of the association.
  public func including<A: AssociationToMany>(all association: A) -> Refined
  where A.OriginRowDecoder == RowDecoder {
    adding(association, .prefetched, .none)
  }

  /// Keeps the rows that have an associated row. Its columns are not selected.
  ///
  ///     Player.all().joining(required: Player.team.filter { $0.color == "red" })
  ///     // SELECT "player".* FROM "player" JOIN "team"
  ///     // ON ("team"."id" = "player"."teamID") AND ("team"."color" = 'red')
  public func joining<A: Association>(required association: A) -> Refined
  where A.OriginRowDecoder == RowDecoder {
    adding(association, .joined(isRequired: true), .none)
  }

  /// Joins the associated row of each row, so that filters and orders can refer to it. Its columns
  /// are not selected.
  ///
  ///     Player.all().joining(optional: Player.team.order(\.name))
  ///     // SELECT "player".* FROM "player"
  ///     // LEFT JOIN "team" ON "team"."id" = "player"."teamID" ORDER BY "team"."name"
  public func joining<A: Association>(optional association: A) -> Refined
  where A.OriginRowDecoder == RowDecoder {
    adding(association, .joined(isRequired: false), .none)
  }

  /// Adds columns of the associated row to the columns of each row. Rows without an associated row
  /// are dropped.
  ///
  ///     Player.all().annotated(withRequired: Player.team.select { $0.name.forKey("teamName") })
  ///     // SELECT "player".*, "team"."name" AS "teamName" FROM "player"
  ///     // JOIN "team" ON "team"."id" = "player"."teamID"
  public func annotated<A: Association>(withRequired association: A) -> Refined
  where A.OriginRowDecoder == RowDecoder {
    adding(association, .joined(isRequired: true), .annotation)
  }

  /// Adds columns of the associated row to the columns of each row, or NULL where a row has none.
  ///
  ///     Player.all().annotated(withOptional: Player.team.select { $0.name.forKey("teamName") })
  ///     // SELECT "player".*, "team"."name" AS "teamName" FROM "player"
  ///     // LEFT JOIN "team" ON "team"."id" = "player"."teamID"
  public func annotated<A: Association>(withOptional association: A) -> Refined
  where A.OriginRowDecoder == RowDecoder {
    adding(association, .joined(isRequired: false), .annotation)
  }

  private func adding(
    _ association: some Association,
    _ role: AssociationNode.Role,
    _ selection: AssociationNode.Selection
  ) -> Refined {
    let isToOne = association is any AssociationToOne
    return refined { $0.add(association.path, role, selection, isToOne: isToOne) }
  }
}

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

  /// Returns a request for all rows with their associated rows, or NULL where a row has none: see
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
