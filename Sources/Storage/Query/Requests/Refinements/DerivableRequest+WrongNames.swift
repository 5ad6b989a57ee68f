// A string is no column: these members do not compile, and say what to write.

extension DerivableRequest {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  @available(
    *,
    unavailable,
    message: "write Column(\"name\") for a column, or select(sql:) for SQL"
  )
  public func select(_ columns: String...) -> Self { self }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  @available(
    *,
    unavailable,
    message: "write Column(\"name\") for a column, or order(sql:) for SQL"
  )
  public func order(_ columns: String...) -> Self { self }
}

extension TableRecord {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  @available(
    *,
    unavailable,
    message: "write Column(\"name\") for a column, or select(sql:) for SQL"
  )
  public static func select(_ columns: String...) -> QueryInterfaceRequest<Self> { all() }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  @available(
    *,
    unavailable,
    message: "write Column(\"name\") for a column, or order(sql:) for SQL"
  )
  public static func order(_ columns: String...) -> QueryInterfaceRequest<Self> { all() }
}
