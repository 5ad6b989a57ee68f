extension SharedReaderKey {
  /// A key for a page of a request's rows.
  ///
  ///     @SharedReader(.fetchPage(Item.order(\.name), size: 50)) var page = KeysetPage()
  ///     // SELECT *, "name", "id" FROM "item" ORDER BY "name", "id" LIMIT 51
  ///
  ///     if let next = page.next {
  ///       try await $page.load(.fetchPage(Item.order(\.name), after: next, size: 50))
  ///     }
  ///
  /// The order is completed by the primary key. A page begins after a position and not at an
  /// offset: rows that come and go on the pages before it do not move its rows. All parts of a page
  /// belong to one state of the database.
  ///
  /// - Parameters:
  ///   - request: The request for all rows, with an order.
  ///   - position: The `next` of the page before; `nil` for the first page.
  ///   - size: The largest number of rows on the page.
  ///   - isCounted: Whether the page has the number of rows on all pages. Each change of the table
  ///     changes the page then.
  ///   - database: The database to read, or `nil` for the default database.
  ///   - scheduler: Where changes are delivered.
  /// - Returns: A key for a ``SharedReader``.
  public static func fetchPage<Element: Fetchable & Sendable>(
    _ request: QueryInterfaceRequest<Element>,
    after position: KeysetPosition? = nil,
    size: Int,
    isCounted: Bool = false,
    database: (any DatabaseReader)? = nil,
    scheduler: some ValueObservationScheduler = .async
  ) -> Self where Self == FetchKey<KeysetPage<Element>> {
    let page = KeysetPageRequest(request, after: position, size: size, isCounted: isCounted)
    return FetchKey(page, database: database, scheduler: scheduler)
  }
}
