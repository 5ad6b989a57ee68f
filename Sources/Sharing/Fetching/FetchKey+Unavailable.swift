// First mistakes with keys: these members do not compile, and say what to write.

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
}
