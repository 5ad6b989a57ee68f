/// A key whose value is fetched from a database, and again after each commit that changes it.
public struct FetchKey<Value: Sendable>: SharedReaderKey {
  /// The database when there is one.
  private let database: (any DatabaseReader)?
  private let request: any FetchKeyRequest<Value>

  /// What makes two keys equal: the database and the request.
  public let id: FetchKeyID

  /// Makes a key of a request to a database: to the default one, as of now, when none is given.
  init(_ request: some FetchKeyRequest<Value>, database: (any DatabaseReader)?) {
    let database = database ?? DefaultDatabase.current
    self.request = request
    self.database = database
    id = FetchKeyID(database: database.map(ObjectIdentifier.init), request: request)
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public func load() async throws -> VersionedValue<Value> {
    guard let database else { throw NoDefaultDatabase() }
    for try await numbered in observation.values(in: database) {
      return VersionedValue(version: numbered.number + 1, value: numbered.value)
    }
    try Task.checkCancellation()
    throw DatabaseError.databaseIsClosed
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public func subscribe(_ subscriber: SharedReaderSubscriber<Value>) -> SharedReaderSubscription {
    guard let database else {
      subscriber.finish(throwing: NoDefaultDatabase())
      return SharedReaderSubscription {}
    }
    let cancellable = observation.start(in: database, scheduling: .immediate) { error in
      if let error = error as? DatabaseError, error.isDatabaseClosed {
        subscriber.finish(throwing: error)
      } else {
        subscriber.fail(error)
      }
    } onChange: { numbered in
      subscriber.yield(VersionedValue(version: numbered.number + 1, value: numbered.value))
    }
    return SharedReaderSubscription { cancellable.cancel() }
  }

  // Equal requests of other keys, or of a `ValueObservation`, are the same observation.
  private var observation: ValueObservation<Numbered<Value>> {
    ValueObservation.tracking(request).numbered()
  }
}

/// The identity of a ``FetchKey``: a database and a request.
public struct FetchKeyID: Hashable, @unchecked Sendable {
  // Safe to share: a request is Sendable, which its type-erased form does not say.
  private let database: ObjectIdentifier?
  private let request: AnyHashable

  init(database: ObjectIdentifier?, request: some FetchKeyRequest) {
    self.database = database
    self.request = AnyHashable(request)
  }
}

// MARK: - Keys

extension SharedReaderKey {
  /// All rows of a query.
  ///
  ///     @SharedReader(.fetchAll(sql: "SELECT * FROM item ORDER BY name")) var items: [Item]
  ///
  /// - Parameters:
  ///   - sql: One statement that reads.
  ///   - arguments: The values of its parameters.
  ///   - database: The database to read, or `nil` for the default one: see
  ///     ``setDefaultDatabase(_:)``.
  /// - Returns: A key for a ``SharedReader``.
  public static func fetchAll<Element: Fetchable & Sendable>(
    sql: String,
    arguments: StatementArguments = StatementArguments(),
    database: (any DatabaseReader)? = nil
  ) -> Self where Self == FetchKey<[Element]> {
    FetchKey(FetchAll<Element>(sql: sql, arguments: arguments), database: database)
  }

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
  /// - Returns: A key for a ``SharedReader``.
  public static func fetchOne<Element: Fetchable & Sendable>(
    sql: String,
    arguments: StatementArguments = StatementArguments(),
    database: (any DatabaseReader)? = nil
  ) -> Self where Self == FetchKey<Element> {
    FetchKey(FetchOne<Element>(sql: sql, arguments: arguments), database: database)
  }

  /// The record in the first row of a query, or `nil` when there is no row.
  ///
  ///     @SharedReader(.fetchOne(sql: "SELECT * FROM item WHERE id = ?", arguments: [1]))
  ///     var item: Item?
  public static func fetchOne<Element: FetchableRecord & Sendable>(
    sql: String,
    arguments: StatementArguments = StatementArguments(),
    database: (any DatabaseReader)? = nil
  ) -> Self where Self == FetchKey<Element?> {
    FetchKey(FetchOptional<Element>(sql: sql, arguments: arguments), database: database)
  }

  /// What a request fetches.
  ///
  ///     @SharedReader(.fetch(Stock())) var stock = Stock.Value()
  ///
  /// - Parameters:
  ///   - request: One query, or several that see one state of the database.
  ///   - database: The database to read, or `nil` for the default one: see
  ///     ``setDefaultDatabase(_:)``.
  /// - Returns: A key for a ``SharedReader``.
  public static func fetch<Request: FetchKeyRequest>(
    _ request: Request,
    database: (any DatabaseReader)? = nil
  ) -> Self where Self == FetchKey<Request.Value> {
    FetchKey(request, database: database)
  }
}

/// The query of a ``SharedReader`` gives no row.
public struct NotFound: Error, Hashable, CustomStringConvertible {
  /// The query.
  public let sql: String

  /// Makes the error of a query.
  public init(sql: String) {
    self.sql = sql
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public var description: String { "no row - for \"\(sql)\"" }
}

private struct FetchAll<Element: Fetchable & Sendable>: FetchKeyRequest {
  let sql: String
  let arguments: StatementArguments

  func fetch(_ db: Database) throws -> [Element] {
    try Element.fetchAll(db, sql: sql, arguments: arguments)
  }
}

private struct FetchOne<Element: Fetchable & Sendable>: FetchKeyRequest {
  let sql: String
  let arguments: StatementArguments

  func fetch(_ db: Database) throws -> Element {
    if let element = try Element.fetchOne(db, sql: sql, arguments: arguments) { return element }
    // An optional value, such as `Int?`, can say by itself that there is no row.
    guard let optional = Element.self as? any ExpressibleByNilLiteral.Type,
      let none = optional.init(nilLiteral: ()) as? Element
    else { throw NotFound(sql: sql) }
    return none
  }
}

private struct FetchOptional<Element: FetchableRecord & Sendable>: FetchKeyRequest {
  let sql: String
  let arguments: StatementArguments

  func fetch(_ db: Database) throws -> Element? {
    try Element.fetchOne(db, sql: sql, arguments: arguments)
  }
}
