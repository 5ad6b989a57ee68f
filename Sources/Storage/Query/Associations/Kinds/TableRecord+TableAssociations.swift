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
