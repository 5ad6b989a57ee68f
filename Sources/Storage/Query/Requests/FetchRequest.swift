/// A request for rows: a query, and what its rows are fetched as.
///
///     struct Leaders: FetchRequest {
///       typealias RowDecoder = Player
///       func makePreparedRequest(_ db: Database, forSingleResult: Bool) throws -> PreparedRequest {
///         let statement = try db.cachedStatement(sql: "SELECT * FROM player WHERE score > 1000")
///         return PreparedRequest(statement: statement)
///       }
///     }
///     let players = try Leaders().fetchAll(db)
///     // SELECT * FROM player WHERE score > 1000
///
/// A request that is `Hashable` and `Sendable` is also what an observation or a shared reader is known
/// by. Those of this library are.
public protocol FetchRequest<RowDecoder> {
  /// What the rows are fetched as.
  associatedtype RowDecoder

  /// Compiles the query, and binds its arguments. `forSingleResult` tells whether the first row only
  /// will be read.
  func makePreparedRequest(_ db: Database, forSingleResult: Bool) throws -> PreparedRequest

  /// The number of rows.
  func fetchCount(_ db: Database) throws -> Int
}

/// A request that is ready to run on one connection.
public struct PreparedRequest {
  /// The statement, whose arguments are bound.
  public let statement: Statement

  /// In which form the rows are shown; `nil` for that of the statement.
  public let adapter: (any RowAdapter)?

  /// Makes a prepared request.
  public init(statement: Statement, adapter: (any RowAdapter)? = nil) {
    self.statement = statement
    self.adapter = adapter
  }
}

extension FetchRequest {
  /// Compiles the query, and binds its arguments.
  ///
  ///     print(try request.makePreparedRequest(db).statement.sql)
  ///     // SELECT * FROM "player" WHERE "id" = ?
  public func makePreparedRequest(_ db: Database) throws -> PreparedRequest {
    try makePreparedRequest(db, forSingleResult: false)
  }

  /// The number of rows, counted by a query around this one.
  ///
  ///     try Leaders().fetchCount(db)
  ///     // SELECT COUNT(*) FROM (SELECT * FROM player WHERE score > 1000)
  public func fetchCount(_ db: Database) throws -> Int {
    let statement = try makePreparedRequest(db).statement
    return try Int.fetchOne(
      db,
      sql: "SELECT COUNT(*) FROM (\(statement.sql))",
      arguments: statement.arguments
    ) ?? 0
  }

  /// What the request reads, found out without running it.
  ///
  ///     try Player.filter(key: 1).databaseRegion(db)
  ///     // player(*)[1]
  public func databaseRegion(_ db: Database) throws -> DatabaseRegion {
    let statement = try makePreparedRequest(db).statement
    return try RegionRecorder.region(of: statement)
  }
}

// MARK: - Fetching

extension FetchRequest where RowDecoder: Fetchable {
  /// The elements, one by one, as the database finds them.
  ///
  ///     let players = try Player.all().fetchCursor(db)
  ///     // SELECT * FROM "player"
  public func fetchCursor(_ db: Database) throws -> DecodingCursor<RowDecoder> {
    try RowDecoder.fetchCursor(db, self)
  }

  /// All elements.
  ///
  ///     let players = try Player.all().fetchAll(db)
  ///     // SELECT * FROM "player"
  public func fetchAll(_ db: Database) throws -> [RowDecoder] {
    try RowDecoder.fetchAll(db, self)
  }

  /// The element of the first row, or `nil` when there is no row, or its value is NULL.
  ///
  ///     let player = try Player.order(\.score.desc).fetchOne(db)
  ///     // SELECT * FROM "player" ORDER BY "score" DESC LIMIT 1
  public func fetchOne(_ db: Database) throws -> RowDecoder? {
    try RowDecoder.fetchOne(db, self)
  }
}

extension FetchRequest<Row> {
  /// The rows, one by one: see ``RowCursor``.
  ///
  ///     let rows = try Table("player").all().fetchCursor(db)
  ///     // SELECT * FROM "player"
  public func fetchCursor(_ db: Database) throws -> RowCursor {
    let request = try makePreparedRequest(db)
    return try Row.fetchCursor(request.statement, adapter: request.adapter)
  }
}

extension FetchRequest where RowDecoder: Fetchable & Hashable {
  /// The distinct elements.
  ///
  ///     let names = try Player.select(\.name, as: String.self).fetchSet(db)
  ///     // SELECT "name" FROM "player"
  public func fetchSet(_ db: Database) throws -> Set<RowDecoder> {
    try RowDecoder.fetchSet(db, self)
  }
}

extension Fetchable {
  /// The elements of a request, one by one, whatever type the request is for.
  ///
  ///     let names = try String.fetchCursor(db, Player.select(\.name))
  ///     // SELECT "name" FROM "player"
  public static func fetchCursor(
    _ db: Database,
    _ request: some FetchRequest
  ) throws -> DecodingCursor<Self> {
    let request = try request.makePreparedRequest(db)
    return try fetchCursor(request.statement, adapter: request.adapter)
  }

  /// All elements of a request, whatever type the request is for.
  ///
  ///     let names = try String.fetchAll(db, Player.select(\.name))
  ///     // SELECT "name" FROM "player"
  public static func fetchAll(_ db: Database, _ request: some FetchRequest) throws -> [Self] {
    let request = try request.makePreparedRequest(db)
    return try fetchAll(request.statement, adapter: request.adapter)
  }

  /// The element of the first row of a request, whatever type the request is for.
  ///
  ///     let maximum = try Int.fetchOne(db, Player.select { max($0.score) })
  ///     // SELECT MAX("score") FROM "player" LIMIT 1
  public static func fetchOne(_ db: Database, _ request: some FetchRequest) throws -> Self? {
    let request = try request.makePreparedRequest(db, forSingleResult: true)
    return try fetchOne(request.statement, adapter: request.adapter)
  }
}

extension Fetchable where Self: Hashable {
  /// The distinct elements of a request, whatever type the request is for.
  ///
  ///     let names = try String.fetchSet(db, Player.select(\.name))
  ///     // SELECT "name" FROM "player"
  public static func fetchSet(_ db: Database, _ request: some FetchRequest) throws -> Set<Self> {
    try Set(fetchAll(db, request))
  }
}
