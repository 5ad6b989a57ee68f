/// An association with the row that a row refers to.
///
///     struct Player: TableRecord {
///       static let team = belongsTo(Team.self)
///     }
///     Player.including(required: Player.team)
///     // SELECT "player".*, "team".* FROM "player" JOIN "team" ON "team"."id" = "player"."teamID"
public struct BelongsToAssociation<Origin, Destination>: AssociationToOne {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public typealias OriginRowDecoder = Origin
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public typealias RowDecoder = Destination

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public var path: AssociationPath

  init(_ path: AssociationPath) {
    self.path = path
  }
}

/// An association with all rows that refer to a row.
///
///     struct Team: TableRecord {
///       static let players = hasMany(Player.self)
///     }
///     Team.including(all: Team.players)
///     // SELECT * FROM "team"
///     // SELECT * FROM "player" WHERE "teamID" IN (1, 2, 3)
public struct HasManyAssociation<Origin, Destination>: AssociationToMany {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public typealias OriginRowDecoder = Origin
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public typealias RowDecoder = Destination

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public var path: AssociationPath

  init(_ path: AssociationPath) {
    self.path = path
  }
}

/// An association with rows that another association leads to.
///
///     struct Country: TableRecord {
///       static let passports = hasMany(Passport.self)
///       static let citizens = hasMany(Person.self, through: passports, using: Passport.citizen)
///     }
///     Country.including(all: Country.citizens)
///     // SELECT * FROM "country"
///     // SELECT "person".*, … FROM "person"
///     // JOIN "passport" ON ("passport"."citizenID" = "person"."id")
///     // AND ("passport"."countryCode" IN ('FR', 'DE'))
public struct HasManyThroughAssociation<Origin, Destination>: AssociationToMany {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public typealias OriginRowDecoder = Origin
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public typealias RowDecoder = Destination

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public var path: AssociationPath

  init(_ path: AssociationPath) {
    self.path = path
  }
}

/// An association with the only row that refers to a row.
///
///     struct Country: TableRecord {
///       static let capital = hasOne(City.self, key: "capital")
///     }
///     Country.including(optional: Country.capital)
///     // SELECT "country".*, "city".* FROM "country"
///     // LEFT JOIN "city" ON "city"."countryCode" = "country"."code"
public struct HasOneAssociation<Origin, Destination>: AssociationToOne {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public typealias OriginRowDecoder = Origin
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public typealias RowDecoder = Destination

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public var path: AssociationPath

  init(_ path: AssociationPath) {
    self.path = path
  }
}

/// An association with the only row that another association leads to.
///
///     struct Player: TableRecord {
///       static let team = belongsTo(Team.self)
///       static let league = hasOne(League.self, through: team, using: Team.league)
///     }
///     Player.including(optional: Player.league)
///     // SELECT "player".*, "league".* FROM "player"
///     // LEFT JOIN "team" ON "team"."id" = "player"."teamID"
///     // LEFT JOIN "league" ON "league"."id" = "team"."leagueID"
public struct HasOneThroughAssociation<Origin, Destination>: AssociationToOne {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public typealias OriginRowDecoder = Origin
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public typealias RowDecoder = Destination

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public var path: AssociationPath

  init(_ path: AssociationPath) {
    self.path = path
  }
}

/// An association with the rows that satisfy a condition, such as the rows of a common table
/// expression.
///
///     let best = CommonTableExpression<Row>(named: "best", sql: "SELECT teamID, max(score) …")
///     let association = Team.association(to: best) { team, best in
///       best[Column("teamID")] == team[Column("id")]
///     }
///     Team.including(required: association).with(best)
///     // WITH "best" AS (…) SELECT "team".*, "best".* FROM "team"
///     // JOIN "best" ON "best"."teamID" = "team"."id"
public struct JoinAssociation<Origin, Destination>: AssociationToOne {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public typealias OriginRowDecoder = Origin
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public typealias RowDecoder = Destination

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public var path: AssociationPath

  init(_ path: AssociationPath) {
    self.path = path
  }
}
