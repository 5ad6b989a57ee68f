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
