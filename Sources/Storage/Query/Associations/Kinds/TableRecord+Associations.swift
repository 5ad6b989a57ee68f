extension TableRecord {
  /// Returns the association with the row that a row of this type refers to.
  ///
  ///     struct Player: TableRecord {
  ///       static let team = belongsTo(Team.self)
  ///     }
  ///
  /// - Parameters:
  ///   - destination: The type of the associated rows.
  ///   - key: The name of the association; by default, the name of the table in the singular.
  ///   - foreignKey: The columns that refer to the other table; by default, those of the only
  ///     foreign key in the schema.
  /// - Returns: The association, which is refined like a request.
  public static func belongsTo<Destination: TableRecord>(
    _ destination: Destination.Type,
    key: String? = nil,
    using foreignKey: ForeignKey? = nil
  ) -> BelongsToAssociation<Self, Destination> {
    BelongsToAssociation(AssociationPath(.refers(foreignKey), singular: key, to: destination.rows))
  }

  /// Returns the association with all rows that refer to a row of this type.
  ///
  ///     struct Team: TableRecord {
  ///       static let players = hasMany(Player.self)
  ///     }
  ///
  /// - Parameters:
  ///   - destination: The type of the associated rows.
  ///   - key: The name of the association; by default, the name of the table in the plural, or in
  ///     the singular where one row is joined.
  ///   - foreignKey: The columns that refer to this table; by default, those of the only foreign
  ///     key in the schema.
  /// - Returns: The association, which is refined like a request.
  public static func hasMany<Destination: TableRecord>(
    _ destination: Destination.Type,
    key: String? = nil,
    using foreignKey: ForeignKey? = nil
  ) -> HasManyAssociation<Self, Destination> {
    HasManyAssociation(AssociationPath(.referred(foreignKey), plural: key, to: destination.rows))
  }

  /// Returns the association with the only row that refers to a row of this type.
  ///
  ///     struct Country: TableRecord {
  ///       static let capital = hasOne(City.self, key: "capital")
  ///     }
  ///
  /// - Parameters:
  ///   - destination: The type of the associated row.
  ///   - key: The name of the association; by default, the name of the table in the singular.
  ///   - foreignKey: The columns that refer to this table; by default, those of the only foreign
  ///     key in the schema.
  /// - Returns: The association, which is refined like a request.
  public static func hasOne<Destination: TableRecord>(
    _ destination: Destination.Type,
    key: String? = nil,
    using foreignKey: ForeignKey? = nil
  ) -> HasOneAssociation<Self, Destination> {
    HasOneAssociation(AssociationPath(.referred(foreignKey), singular: key, to: destination.rows))
  }

  /// Returns the association with the rows that another association leads to.
  ///
  ///     struct Country: TableRecord {
  ///       static let passports = hasMany(Passport.self)
  ///       static let citizens = hasMany(Person.self, through: passports, using: Passport.citizen)
  ///     }
  ///
  /// - Parameters:
  ///   - destination: The type of the associated rows.
  ///   - pivot: An association of this type.
  ///   - target: An association of the type that `pivot` leads to.
  ///   - key: The name of the association; by default, that of `target`.
  /// - Returns: The association, which is refined like a request.
  public static func hasMany<Pivot: Association, Target: Association>(
    _ destination: Target.RowDecoder.Type,
    through pivot: Pivot,
    using target: Target,
    key: String? = nil
  ) -> HasManyThroughAssociation<Self, Target.RowDecoder>
  where Pivot.OriginRowDecoder == Self, Pivot.RowDecoder == Target.OriginRowDecoder {
    HasManyThroughAssociation(AssociationPath(pivot.path, target.path, plural: key))
  }

  /// Returns the association with the rows to which the rows of a table between refer: a
  /// many-to-many association, whose table needs no record type.
  ///
  ///     struct Post: TableRecord {
  ///       static let tags = hasMany(Tag.self, through: Table("postTag"))
  ///     }
  ///     Post.including(all: Post.tags)
  ///     // SELECT * FROM "post"
  ///     // SELECT "tag".*, "postTag"."postID" FROM "tag" JOIN "postTag"
  ///     // ON ("postTag"."tagID" = "tag"."id") AND ("postTag"."postID" IN (1, 2))
  ///
  /// - Parameters:
  ///   - destination: The type of the associated rows.
  ///   - table: The table that refers to this table and to that of the associated rows.
  ///   - key: The name of the association; by default, the name of the associated table in the
  ///     plural.
  ///   - foreignKey: The columns that refer to this table; by default, those of the only foreign
  ///     key in the schema.
  ///   - target: The columns that refer to the associated rows; by default, those of the only
  ///     foreign key in the schema.
  /// - Returns: The association, which is refined like a request.
  public static func hasMany<Destination: TableRecord, Pivot>(
    _ destination: Destination.Type,
    through table: Table<Pivot>,
    key: String? = nil,
    using foreignKey: ForeignKey? = nil,
    to target: ForeignKey? = nil
  ) -> HasManyThroughAssociation<Self, Destination> {
    let pivot = AssociationPath(
      .referred(foreignKey),
      plural: nil,
      to: table.all().selectStatement
    )
    let rows = AssociationPath(.refers(target), singular: nil, to: destination.rows)
    return HasManyThroughAssociation(AssociationPath(pivot, rows, plural: key))
  }

  /// Returns the association with the only row that another association leads to.
  ///
  ///     struct Team: TableRecord {
  ///       static let league = belongsTo(League.self)
  ///     }
  ///     struct Player: TableRecord {
  ///       static let team = belongsTo(Team.self)
  ///       static let league = hasOne(League.self, through: team, using: Team.league)
  ///     }
  ///
  /// - Parameters:
  ///   - destination: The type of the associated row.
  ///   - pivot: An association of this type, with at most one row.
  ///   - target: An association of the type that `pivot` leads to, with at most one row.
  ///   - key: The name of the association; by default, that of `target`.
  /// - Returns: The association, which is refined like a request.
  public static func hasOne<Pivot: AssociationToOne, Target: AssociationToOne>(
    _ destination: Target.RowDecoder.Type,
    through pivot: Pivot,
    using target: Target,
    key: String? = nil
  ) -> HasOneThroughAssociation<Self, Target.RowDecoder>
  where Pivot.OriginRowDecoder == Self, Pivot.RowDecoder == Target.OriginRowDecoder {
    HasOneThroughAssociation(AssociationPath(pivot.path, target.path, singular: key))
  }
}

extension TableRecord {
  /// All rows, with the default selection.
  static var rows: SelectStatement { all().selectStatement }
}
