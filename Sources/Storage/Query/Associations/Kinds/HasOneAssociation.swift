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
