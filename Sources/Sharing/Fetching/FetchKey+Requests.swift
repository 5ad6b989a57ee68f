extension SharedReaderKey {
  /// A key for the value that a request fetches.
  ///
  ///     @SharedReader(.fetch(Stock())) var stock = Stock.Value()
  ///
  /// - Parameters:
  ///   - request: One query, or several queries that see one state of the database.
  ///   - database: The database to read, or `nil` for the default database: see
  ///     ``setDefaultDatabase(_:)``.
  ///   - scheduler: Where changes are delivered. The first value is fetched when the reader is
  ///     created. Keys that differ only in the scheduler share one query.
  /// - Returns: A key for a ``SharedReader``.
  public static func fetch<Request: FetchKeyRequest>(
    _ request: Request,
    database: (any DatabaseReader)? = nil,
    scheduler: some ValueObservationScheduler = .async
  ) -> Self where Self == FetchKey<Request.Value> {
    FetchKey(request, database: database, scheduler: scheduler)
  }

  /// A key for all rows of a request that was built in Swift.
  ///
  ///     @SharedReader(.fetchAll(Item.filter { $0.price < 10 }.order(\.name))) var items
  ///     // SELECT * FROM "item" WHERE "price" < 10 ORDER BY "name"
  ///
  /// - Parameters:
  ///   - request: A query, such as a `QueryInterfaceRequest` or an `SQLRequest`.
  ///   - database: The database to read, or `nil` for the default database.
  ///   - scheduler: Where changes are delivered.
  /// - Returns: A key for a ``SharedReader``.
  public static func fetchAll<Request: FetchRequest & Hashable & Sendable>(
    _ request: Request,
    database: (any DatabaseReader)? = nil,
    scheduler: some ValueObservationScheduler = .async
  ) -> Self
  where Request.RowDecoder: Fetchable & Sendable, Self == FetchKey<[Request.RowDecoder]> {
    FetchKey(AllElements(request), database: database, scheduler: scheduler)
  }

  /// A key for the first row of a request that was built in Swift, or `nil` when there is no row.
  ///
  ///     @SharedReader(.fetchOne(Item.filter(key: 1))) var item
  ///     // SELECT * FROM "item" WHERE "id" = 1
  public static func fetchOne<Request: FetchRequest & Hashable & Sendable>(
    _ request: Request,
    database: (any DatabaseReader)? = nil,
    scheduler: some ValueObservationScheduler = .async
  ) -> Self
  where Request.RowDecoder: Fetchable & Sendable, Self == FetchKey<Request.RowDecoder?> {
    FetchKey(FirstElement(request), database: database, scheduler: scheduler)
  }

  /// A key for the first row of a request that was built in Swift.
  ///
  /// When there is no row, the reader keeps its last value, and ``SharedReader/loadError`` is
  /// ``NotFound``.
  ///
  ///     @SharedReader(.fetchOne(Item.select { sum($0.price) }.asRequest(of: Double.self)))
  ///     var total = 0
  ///     // SELECT SUM("price") FROM "item" LIMIT 1
  public static func fetchOne<Request: FetchRequest & Hashable & Sendable>(
    _ request: Request,
    database: (any DatabaseReader)? = nil,
    scheduler: some ValueObservationScheduler = .async
  ) -> Self
  where Request.RowDecoder: Fetchable & Sendable, Self == FetchKey<Request.RowDecoder> {
    FetchKey(RequiredElement(request: request), database: database, scheduler: scheduler)
  }

  /// A key for the number of rows of a request.
  ///
  ///     @SharedReader(.fetchCount(Item.filter { $0.price < 10 })) var count = 0
  ///     // SELECT COUNT(*) FROM "item" WHERE "price" < 10
  public static func fetchCount<Request: FetchRequest & Hashable & Sendable>(
    _ request: Request,
    database: (any DatabaseReader)? = nil,
    scheduler: some ValueObservationScheduler = .async
  ) -> Self where Self == FetchKey<Int> {
    FetchKey(RowCount(request), database: database, scheduler: scheduler)
  }
}
