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
