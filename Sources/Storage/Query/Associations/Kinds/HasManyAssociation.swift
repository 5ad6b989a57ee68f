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
