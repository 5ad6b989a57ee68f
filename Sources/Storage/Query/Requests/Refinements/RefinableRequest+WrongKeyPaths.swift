// Key paths to columns that a record type does not have: these members do not compile, and say so.

extension RefinableRequest where RowDecoder: TableRecord {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  @available(
    *,
    unavailable,
    message: """
      the record type has no such column, or the column no such member: a Decodable record has a \
      column for each stored property, and others are declared in its Columns
      """
  )
  @_disfavoredOverload
  public func select(
    _ columns: KeyPath<UndeclaredColumns, UndeclaredColumns>...
  ) -> Refined { none() }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  @available(
    *,
    unavailable,
    message: "the record type has no such column of type Bool: write filter { $0.name == … }"
  )
  @_disfavoredOverload
  public func filter(
    _ columns: KeyPath<UndeclaredColumns, UndeclaredColumns>...
  ) -> Refined { none() }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  @available(
    *,
    unavailable,
    message: """
      the record type has no such column, or the column no such member: a Decodable record has a \
      column for each stored property, and others are declared in its Columns
      """
  )
  @_disfavoredOverload
  public func order(
    _ columns: KeyPath<UndeclaredColumns, UndeclaredColumns>...
  ) -> Refined { none() }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  @available(
    *,
    unavailable,
    message: """
      beside other terms, write columns in a closure: order { [Team.players.count, $0.name] }
      """
  )
  @_disfavoredOverload
  public func order(
    _ term: any SQLOrderingTerm,
    _ columns: KeyPath<UndeclaredColumns, UndeclaredColumns>...
  ) -> Refined { none() }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  @available(
    *,
    unavailable,
    message: """
      the record type has no such column, or the column no such member: a Decodable record has a \
      column for each stored property, and others are declared in its Columns
      """
  )
  @_disfavoredOverload
  public func group(
    _ columns: KeyPath<UndeclaredColumns, UndeclaredColumns>...
  ) -> Refined { none() }
}

extension TableRecord {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  @available(
    *,
    unavailable,
    message: """
      the record type has no such column, or the column no such member: a Decodable record has a \
      column for each stored property, and others are declared in its Columns
      """
  )
  @_disfavoredOverload
  public static func select(
    _ columns: KeyPath<UndeclaredColumns, UndeclaredColumns>...
  ) -> QueryInterfaceRequest<Self> { all() }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  @available(
    *,
    unavailable,
    message: "the record type has no such column of type Bool: write filter { $0.name == … }"
  )
  @_disfavoredOverload
  public static func filter(
    _ columns: KeyPath<UndeclaredColumns, UndeclaredColumns>...
  ) -> QueryInterfaceRequest<Self> { all() }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  @available(
    *,
    unavailable,
    message: """
      the record type has no such column, or the column no such member: a Decodable record has a \
      column for each stored property, and others are declared in its Columns
      """
  )
  @_disfavoredOverload
  public static func order(
    _ columns: KeyPath<UndeclaredColumns, UndeclaredColumns>...
  ) -> QueryInterfaceRequest<Self> { all() }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  @available(
    *,
    unavailable,
    message: """
      beside other terms, write columns in a closure: order { [Team.players.count, $0.name] }
      """
  )
  @_disfavoredOverload
  public static func order(
    _ term: any SQLOrderingTerm,
    _ columns: KeyPath<UndeclaredColumns, UndeclaredColumns>...
  ) -> QueryInterfaceRequest<Self> { all() }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  @available(
    *,
    unavailable,
    message: """
      the record type has no such column, or the column no such member: a Decodable record has a \
      column for each stored property, and others are declared in its Columns
      """
  )
  @_disfavoredOverload
  public static func group(
    _ columns: KeyPath<UndeclaredColumns, UndeclaredColumns>...
  ) -> QueryInterfaceRequest<Self> { all() }
}
