extension Fetchable {
  /// Fetches the elements of a request one by one, regardless of the request's own type.
  ///
  ///     let names = try String.fetchCursor(db, Player.select(\.name))
  ///     // SELECT "name" FROM "player"
  public static func fetchCursor(
    _ db: Database,
    _ request: some FetchRequest
  ) throws -> DecodingCursor<Self> {
    let request = try request.makePreparedRequest(db)
    try request.checkHasNoPrefetches()
    return try fetchCursor(request.statement, adapter: request.adapter)
  }

  /// Fetches all elements of a request, regardless of the request's own type.
  ///
  ///     let names = try String.fetchAll(db, Player.select(\.name))
  ///     // SELECT "name" FROM "player"
  public static func fetchAll(_ db: Database, _ request: some FetchRequest) throws -> [Self] {
    try fetchAll(request.makePreparedRequest(db))
  }

  /// Fetches all elements of a request whose arguments are bound.
  static func fetchAll(_ request: PreparedRequest) throws -> [Self] {
    let db = request.statement.database
    guard request.prefetches.isEmpty else {
      return try db.fetchInterceptor?.fetchAll(Self.self, request)
        ?? RowBuffer(request, db).decode { try fetched(from: $0) }
    }
    return try fetchAll(request.statement, adapter: request.adapter)
  }

  /// Fetches the element of the first row of a request, regardless of the request's own type.
  ///
  ///     let maximum = try Int.fetchOne(db, Player.select { max($0.score) })
  ///     // SELECT MAX("score") FROM "player" LIMIT 1
  public static func fetchOne(_ db: Database, _ request: some FetchRequest) throws -> Self? {
    let request = try request.makePreparedRequest(db, forSingleResult: true)
    guard request.prefetches.isEmpty else {
      if let element = try db.fetchInterceptor?.fetchOne(Self.self, request) { return element }
      return try RowBuffer(request, db, isSingle: true).decode { try fetchedOne(from: $0) }.first
        ?? nil
    }
    return try fetchOne(request.statement, adapter: request.adapter)
  }
}

extension Fetchable where Self: Hashable {
  /// Fetches the distinct elements of a request, regardless of the request's own type.
  ///
  ///     let names = try String.fetchSet(db, Player.select(\.name))
  ///     // SELECT "name" FROM "player"
  public static func fetchSet(_ db: Database, _ request: some FetchRequest) throws -> Set<Self> {
    try Set(fetchAll(db, request))
  }
}

extension Row {
  /// Fetches the rows of a request one by one, regardless of the request's own type.
  ///
  ///     let rows = try Row.fetchCursor(db, Player.all())
  ///     // SELECT * FROM "player"
  public static func fetchCursor(_ db: Database, _ request: some FetchRequest) throws -> RowCursor {
    let request = try request.makePreparedRequest(db)
    try request.checkHasNoPrefetches()
    return try fetchCursor(request.statement, adapter: request.adapter)
  }
}
