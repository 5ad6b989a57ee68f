extension SharedReaderKey {
  // MARK: All rows

  /// A key for all rows of a query.
  ///
  ///     @SharedReader(.fetchAll(sql: "SELECT * FROM item ORDER BY name")) var items: [Item]
  ///
  /// - Parameters:
  ///   - sql: One statement that reads.
  ///   - arguments: The values of the statement's parameters.
  ///   - database: The database to read, or `nil` for the default database: see
  ///     ``setDefaultDatabase(_:)``.
  ///   - scheduler: Where changes are delivered. The first value is fetched when the reader is
  ///     created. Keys that differ only in the scheduler share one query.
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

  /// A key for all rows of a query whose interpolated values become arguments.
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

  /// A key for the first row of a query.
  ///
  ///     @SharedReader(.fetchOne(sql: "SELECT count(*) FROM item")) var count = 0
  ///
  /// When there is no row, an optional value becomes `nil`. A reader of any other type keeps its
  /// last value, and ``SharedReader/loadError`` is ``NotFound``.
  ///
  /// - Parameters:
  ///   - sql: One statement that reads.
  ///   - arguments: The values of the statement's parameters.
  ///   - database: The database to read, or `nil` for the default database: see
  ///     ``setDefaultDatabase(_:)``.
  ///   - scheduler: Where changes are delivered. The first value is fetched when the reader is
  ///     created.
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

  /// A key for the record in the first row of a query, or `nil` when there is no row.
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

  /// A key for the first row of a query whose interpolated values become arguments.
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

  /// A key for the record in the first row of a query, or `nil` when there is no row.
  ///
  /// Interpolated values become arguments.
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
