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
