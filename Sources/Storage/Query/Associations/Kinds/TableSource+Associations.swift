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
