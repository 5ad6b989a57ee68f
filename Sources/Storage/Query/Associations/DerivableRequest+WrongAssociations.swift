// First mistakes with associations: these members do not compile, and say what to write.

extension DerivableRequest {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  @available(
    *,
    unavailable,
    message: "Include the one row of this association by including(required:) or (optional:)."
  )
  public func including<A: AssociationToOne>(all association: A) -> Self
  where A.OriginRowDecoder == RowDecoder {
    self
  }
}

extension TableRecord {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  @available(
    *,
    unavailable,
    message: "Include the one row of this association by including(required:) or (optional:)."
  )
  public static func including<A: AssociationToOne>(
    all association: A
  ) -> QueryInterfaceRequest<Self> where A.OriginRowDecoder == Self {
    all()
  }
}
