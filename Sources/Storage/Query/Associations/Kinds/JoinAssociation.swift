/// An association with the rows that satisfy a condition, such as those of a common table
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
