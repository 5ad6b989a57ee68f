extension SharedReaderKey {
  // MARK: All rows

  /// All rows of a query.
  ///
  ///     @SharedReader(.fetchAll(sql: "SELECT * FROM item ORDER BY name")) var items: [Item]
  ///
  /// - Parameters:
  ///   - sql: One statement that reads.
  ///   - arguments: The values of its parameters.
  ///   - database: The database to read, or `nil` for the default one: see
  ///     ``setDefaultDatabase(_:)``.
  ///   - scheduler: Where changes are delivered. The first value is fetched when the reader is made. Keys
  ///     that differ in it alone share one query.
  /// - Returns: A key for a ``SharedReader``.
  public static func fetchAll<Element: Fetchable & Sendable>(
    sql: String,
    arguments: StatementArguments = StatementArguments(),
    database: (any DatabaseReader)? = nil,
    scheduler: some ValueObservationScheduler = .async
  ) -> Self where Self == FetchKey<[Element]> {
    let request = SQLRequest<Element>(sql: sql, arguments: arguments)
    return FetchKey(AllElements(request), database: database, scheduler: scheduler)
  }

  /// All rows of a query, whose interpolated values become arguments.
  ///
  ///     @SharedReader(.fetchAll(literal: "SELECT * FROM item WHERE name = \(name)"))
  ///     var items: [Item]
  ///     // SELECT * FROM item WHERE name = 'O''Brien'
  public static func fetchAll<Element: Fetchable & Sendable>(
    literal: SQL,
    database: (any DatabaseReader)? = nil,
    scheduler: some ValueObservationScheduler = .async
  ) -> Self where Self == FetchKey<[Element]> {
    let request = SQLRequest<Element>(literal: literal)
    return FetchKey(AllElements(request), database: database, scheduler: scheduler)
  }

  // MARK: The first row

  /// The first row of a query.
  ///
  ///     @SharedReader(.fetchOne(sql: "SELECT count(*) FROM item")) var count = 0
  ///
  /// When there is no row, an optional is `nil`; for other types the last value stays, and
  /// ``SharedReader/loadError`` is ``NotFound``.
  ///
  /// - Parameters:
  ///   - sql: One statement that reads.
  ///   - arguments: The values of its parameters.
  ///   - database: The database to read, or `nil` for the default one: see
  ///     ``setDefaultDatabase(_:)``.
  ///   - scheduler: Where changes are delivered. The first value is fetched when the reader is made.
  /// - Returns: A key for a ``SharedReader``.
  public static func fetchOne<Element: Fetchable & Sendable>(
    sql: String,
    arguments: StatementArguments = StatementArguments(),
    database: (any DatabaseReader)? = nil,
    scheduler: some ValueObservationScheduler = .async
  ) -> Self where Self == FetchKey<Element> {
    let request = SQLRequest<Element>(sql: sql, arguments: arguments)
    return FetchKey(RequiredElement(request: request), database: database, scheduler: scheduler)
  }

  /// The record in the first row of a query, or `nil` when there is no row.
  ///
  ///     @SharedReader(.fetchOne(sql: "SELECT * FROM item WHERE id = ?", arguments: [1]))
  ///     var item: Item?
  public static func fetchOne<Element: FetchableRecord & Sendable>(
    sql: String,
    arguments: StatementArguments = StatementArguments(),
    database: (any DatabaseReader)? = nil,
    scheduler: some ValueObservationScheduler = .async
  ) -> Self where Self == FetchKey<Element?> {
    let request = SQLRequest<Element>(sql: sql, arguments: arguments)
    return FetchKey(FirstElement(request), database: database, scheduler: scheduler)
  }

  /// The first row of a query, whose interpolated values become arguments.
  ///
  ///     @SharedReader(.fetchOne(literal: "SELECT count(*) FROM item WHERE price < \(limit)"))
  ///     var count = 0
  ///     // SELECT count(*) FROM item WHERE price < 10
  public static func fetchOne<Element: Fetchable & Sendable>(
    literal: SQL,
    database: (any DatabaseReader)? = nil,
    scheduler: some ValueObservationScheduler = .async
  ) -> Self where Self == FetchKey<Element> {
    let request = SQLRequest<Element>(literal: literal)
    return FetchKey(RequiredElement(request: request), database: database, scheduler: scheduler)
  }

  /// The record in the first row of a query, whose interpolated values become arguments, or `nil` when
  /// there is no row.
  ///
  ///     @SharedReader(.fetchOne(literal: "SELECT * FROM item WHERE id = \(id)")) var item: Item?
  ///     // SELECT * FROM item WHERE id = 1
  public static func fetchOne<Element: FetchableRecord & Sendable>(
    literal: SQL,
    database: (any DatabaseReader)? = nil,
    scheduler: some ValueObservationScheduler = .async
  ) -> Self where Self == FetchKey<Element?> {
    let request = SQLRequest<Element>(literal: literal)
    return FetchKey(FirstElement(request), database: database, scheduler: scheduler)
  }
}
