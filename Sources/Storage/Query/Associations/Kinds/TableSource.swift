/// A table of the schema or of a `WITH` clause, with or without a record type: a ``Table``, or a
/// ``CommonTableExpression``.
///
/// It has all refinements of requests. Associations lead from it and to it, as they do with record
/// types:
///
///     let teams = Table("team"), players = Table("player")
///     let request = teams.including(all: teams.hasMany(players))
///     for team in try request.fetchAll(db) {
///       print(team["name"] as String, team.prefetchedRows["players"]!.count)
///     }
///     // SELECT * FROM "team"
///     // SELECT * FROM "player" WHERE "teamID" IN (1, 2, 3)
public protocol TableSource<RowDecoder>: RefinableRequest
where Refined == QueryInterfaceRequest<RowDecoder> {}

extension Table: TableSource {}

extension CommonTableExpression: TableSource {}

extension TableSource {
  /// All rows, with all columns.
  var rows: SelectStatement { all().selectStatement }
}

// A key of columns is found as for record types: in the schema, or in `using:`. Tables of a WITH
// clause have no foreign keys in the schema.

extension TableSource {
  /// Returns the association with the row that a row of this table refers to.
  ///
  ///     let players = Table("player")
  ///     players.including(required: players.belongsTo(Team.self))
  ///     // SELECT "player".*, "team".* FROM "player"
  ///     // JOIN "team" ON "team"."id" = "player"."teamID"
  ///
  /// - Parameters:
  ///   - destination: The type of the associated rows.
  ///   - key: The name of the association; by default, the name of the table in the singular.
  ///   - foreignKey: The columns that refer to the other table; by default, those of the only
  ///     foreign key in the schema.
  /// - Returns: The association, which is refined like a request.
  public func belongsTo<Destination: TableRecord>(
    _ destination: Destination.Type,
    key: String? = nil,
    using foreignKey: ForeignKey? = nil
  ) -> BelongsToAssociation<RowDecoder, Destination> {
    BelongsToAssociation(AssociationPath(.refers(foreignKey), singular: key, to: destination.rows))
  }

  /// Returns the association with the row of another table that a row refers to, with the
  /// parameters of the method for record types.
  ///
  ///     let players = Table("player")
  ///     players.including(required: players.belongsTo(Table("team")))
  ///     // SELECT "player".*, "team".* FROM "player"
  ///     // JOIN "team" ON "team"."id" = "player"."teamID"
  public func belongsTo<Destination: TableSource>(
    _ destination: Destination,
    key: String? = nil,
    using foreignKey: ForeignKey? = nil
  ) -> BelongsToAssociation<RowDecoder, Destination.RowDecoder> {
    BelongsToAssociation(AssociationPath(.refers(foreignKey), singular: key, to: destination.rows))
  }

  /// Returns the association with all rows that refer to a row of this table.
  ///
  ///     let teams = Table("team")
  ///     teams.joining(required: teams.hasMany(Player.self))
  ///     // SELECT "team".* FROM "team" JOIN "player" ON "player"."teamID" = "team"."id"
  ///
  /// - Parameters:
  ///   - destination: The type of the associated rows.
  ///   - key: The name of the association; by default, the name of the table in the plural, or in
  ///     the singular where one row is joined.
  ///   - foreignKey: The columns that refer to this table; by default, those of the only foreign
  ///     key in the schema.
  /// - Returns: The association, which is refined like a request.
  public func hasMany<Destination: TableRecord>(
    _ destination: Destination.Type,
    key: String? = nil,
    using foreignKey: ForeignKey? = nil
  ) -> HasManyAssociation<RowDecoder, Destination> {
    HasManyAssociation(AssociationPath(.referred(foreignKey), plural: key, to: destination.rows))
  }

  /// Returns the association with all rows of another table that refer to a row, with the
  /// parameters of the method for record types.
  ///
  ///     let teams = Table("team")
  ///     teams.joining(required: teams.hasMany(Table("player")))
  ///     // SELECT "team".* FROM "team" JOIN "player" ON "player"."teamID" = "team"."id"
  public func hasMany<Destination: TableSource>(
    _ destination: Destination,
    key: String? = nil,
    using foreignKey: ForeignKey? = nil
  ) -> HasManyAssociation<RowDecoder, Destination.RowDecoder> {
    HasManyAssociation(AssociationPath(.referred(foreignKey), plural: key, to: destination.rows))
  }

  /// Returns the association with the only row that refers to a row of this table.
  ///
  ///     let teams = Table("team")
  ///     teams.including(optional: teams.hasOne(Player.self))
  ///     // SELECT "team".*, "player".* FROM "team"
  ///     // LEFT JOIN "player" ON "player"."teamID" = "team"."id"
  ///
  /// - Parameters:
  ///   - destination: The type of the associated row.
  ///   - key: The name of the association; by default, the name of the table in the singular.
  ///   - foreignKey: The columns that refer to this table; by default, those of the only foreign
  ///     key in the schema.
  /// - Returns: The association, which is refined like a request.
  public func hasOne<Destination: TableRecord>(
    _ destination: Destination.Type,
    key: String? = nil,
    using foreignKey: ForeignKey? = nil
  ) -> HasOneAssociation<RowDecoder, Destination> {
    HasOneAssociation(AssociationPath(.referred(foreignKey), singular: key, to: destination.rows))
  }

  /// Returns the association with the only row of another table that refers to a row, with the
  /// parameters of the method for record types.
  ///
  ///     let teams = Table("team")
  ///     teams.including(optional: teams.hasOne(Table("player")))
  ///     // SELECT "team".*, "player".* FROM "team"
  ///     // LEFT JOIN "player" ON "player"."teamID" = "team"."id"
  public func hasOne<Destination: TableSource>(
    _ destination: Destination,
    key: String? = nil,
    using foreignKey: ForeignKey? = nil
  ) -> HasOneAssociation<RowDecoder, Destination.RowDecoder> {
    HasOneAssociation(AssociationPath(.referred(foreignKey), singular: key, to: destination.rows))
  }

  /// Returns the association with the rows that another association leads to: see
  /// ``TableRecord/hasMany(_:through:using:key:)``.
  ///
  ///     let teams = Table("team"), leagues = Table("league"), players = Table("player")
  ///     let all = leagues.hasMany(
  ///       Row.self, through: leagues.hasMany(teams), using: teams.hasMany(players))
  ///     leagues.including(all: all)
  public func hasMany<Pivot: Association, Target: Association>(
    _ destination: Target.RowDecoder.Type,
    through pivot: Pivot,
    using target: Target,
    key: String? = nil
  ) -> HasManyThroughAssociation<RowDecoder, Target.RowDecoder>
  where Pivot.OriginRowDecoder == RowDecoder, Pivot.RowDecoder == Target.OriginRowDecoder {
    HasManyThroughAssociation(AssociationPath(pivot.path, target.path, plural: key))
  }

  /// Returns the association with the only row that another association leads to: see
  /// ``TableRecord/hasOne(_:through:using:key:)``.
  ///
  ///     let players = Table("player"), teams = Table("team")
  ///     let league = players.hasOne(
  ///       Row.self, through: players.belongsTo(teams), using: teams.belongsTo(Table("league")))
  ///     players.including(optional: league)
  public func hasOne<Pivot: AssociationToOne, Target: AssociationToOne>(
    _ destination: Target.RowDecoder.Type,
    through pivot: Pivot,
    using target: Target,
    key: String? = nil
  ) -> HasOneThroughAssociation<RowDecoder, Target.RowDecoder>
  where Pivot.OriginRowDecoder == RowDecoder, Pivot.RowDecoder == Target.OriginRowDecoder {
    HasOneThroughAssociation(AssociationPath(pivot.path, target.path, singular: key))
  }
}

// Associations of a record type with tables and common table expressions.

extension TableRecord {
  /// Returns the association with the row of a table that a row of this type refers to, with the
  /// parameters of the method for record types.
  ///
  ///     Player.including(required: Player.belongsTo(Table("team")))
  ///     // SELECT "player".*, "team".* FROM "player"
  ///     // JOIN "team" ON "team"."id" = "player"."teamID"
  public static func belongsTo<Destination: TableSource>(
    _ destination: Destination,
    key: String? = nil,
    using foreignKey: ForeignKey? = nil
  ) -> BelongsToAssociation<Self, Destination.RowDecoder> {
    BelongsToAssociation(AssociationPath(.refers(foreignKey), singular: key, to: destination.rows))
  }

  /// Returns the association with all rows of a table that refer to a row of this type, with the
  /// parameters of the method for record types.
  ///
  ///     Team.joining(required: Team.hasMany(Table("player")))
  ///     // SELECT "team".* FROM "team" JOIN "player" ON "player"."teamID" = "team"."id"
  public static func hasMany<Destination: TableSource>(
    _ destination: Destination,
    key: String? = nil,
    using foreignKey: ForeignKey? = nil
  ) -> HasManyAssociation<Self, Destination.RowDecoder> {
    HasManyAssociation(AssociationPath(.referred(foreignKey), plural: key, to: destination.rows))
  }

  /// Returns the association with the only row of a table that refers to a row of this type, with
  /// the parameters of the method for record types.
  ///
  ///     Team.including(optional: Team.hasOne(Table("player")))
  ///     // SELECT "team".*, "player".* FROM "team"
  ///     // LEFT JOIN "player" ON "player"."teamID" = "team"."id"
  public static func hasOne<Destination: TableSource>(
    _ destination: Destination,
    key: String? = nil,
    using foreignKey: ForeignKey? = nil
  ) -> HasOneAssociation<Self, Destination.RowDecoder> {
    HasOneAssociation(AssociationPath(.referred(foreignKey), singular: key, to: destination.rows))
  }
}
