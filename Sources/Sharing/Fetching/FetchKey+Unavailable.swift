// First mistakes with keys: these members do not compile, and name the correct code.

extension SharedReaderKey {
  /// Not available: `Item.all` is a function, which returns the request when it is called.
  @available(
    *,
    unavailable,
    message: "call the function that returns the request, as in Item.all()"
  )
  public static func fetchAll<Record: FetchableRecord & Sendable>(
    _ request: () -> QueryInterfaceRequest<Record>
  ) -> Self where Self == FetchKey<[Record]> {
    .fetchAll(request())
  }

  /// Not available: the type of the variable decides the query, so the variable needs a type.
  @available(*, unavailable, message: "give the variable a type, as in `var items: [Item]`")
  @_disfavoredOverload
  public static func fetchAll(
    sql: String,
    arguments: StatementArguments = StatementArguments(),
    database: (any DatabaseReader)? = nil
  ) -> Self where Self == FetchKey<[Row]> {
    fatalError("unavailable")
  }

  /// Not available: the type of the variable decides the query, so the variable needs a type or a
  /// value.
  @available(*, unavailable, message: "give the variable a type or a value, as in `var count = 0`")
  @_disfavoredOverload
  public static func fetchOne(
    sql: String,
    arguments: StatementArguments = StatementArguments(),
    database: (any DatabaseReader)? = nil
  ) -> Self where Self == FetchKey<Row?> {
    fatalError("unavailable")
  }
}
