/// A request for rows: a query, and the type that its rows are fetched as.
///
///     struct Leaders: FetchRequest {
///       typealias RowDecoder = Player
///       func makePreparedRequest(
///         _ db: Database,
///         forSingleResult: Bool
///       ) throws -> PreparedRequest {
///         let statement = try db.cachedStatement(sql: "SELECT * FROM player WHERE score > 1000")
///         return PreparedRequest(statement: statement)
///       }
///     }
///     let players = try Leaders().fetchAll(db)
///     // SELECT * FROM player WHERE score > 1000
///
/// A request is a part of a database that can be observed, and a subquery of other requests:
///
///     Player.filter { $0.score == maximum }
///     // SELECT * FROM "player" WHERE "score" = (SELECT MAX("score") FROM "player")
///
/// A request that is `Hashable` can identify an observation or a shared reader. The requests of
/// this library are.
public protocol FetchRequest<RowDecoder>: SQLSubqueryable, DatabaseRegionConvertible {
  /// The type that the rows are fetched as.
  associatedtype RowDecoder

  /// Compiles the query, and binds its arguments. `forSingleResult` is true if only the first row
  /// is going to be read.
  func makePreparedRequest(_ db: Database, forSingleResult: Bool) throws -> PreparedRequest

  /// Returns the number of rows.
  func fetchCount(_ db: Database) throws -> Int
}

extension FetchRequest {
  /// Compiles the query, and binds its arguments.
  ///
  ///     print(try request.makePreparedRequest(db).statement.sql)
  ///     // SELECT * FROM "player" WHERE "id" = ?
  public func makePreparedRequest(_ db: Database) throws -> PreparedRequest {
    try makePreparedRequest(db, forSingleResult: false)
  }

  /// Returns the number of rows, counted by a query around this one.
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

  /// The query as a subquery of another statement: by default, the SQL that the request prepares.
  ///
  ///     Player.filter { Leaders().exists() && $0.score < 10 }
  ///     // SELECT * FROM "player"
  ///     // WHERE EXISTS (SELECT * FROM player WHERE score > 1000) AND ("score" < 10)
  public var sqlSubquery: SQLSubquery { SQLSubquery(PreparedSubquery(self)) }

  /// Returns the region that the request reads, without running it.
  ///
  ///     try Player.filter(key: 1).databaseRegion(db)
  ///     // player(*)[1]
  public func databaseRegion(_ db: Database) throws -> DatabaseRegion {
    try makePreparedRequest(db).databaseRegion(db)
  }
}

// MARK: - Fetching

extension FetchRequest where RowDecoder: Fetchable {
  /// Fetches the elements one by one, as SQLite finds them.
  ///
  ///     let players = try Player.all().fetchCursor(db)
  ///     // SELECT * FROM "player"
  public func fetchCursor(_ db: Database) throws -> DecodingCursor<RowDecoder> {
    try RowDecoder.fetchCursor(db, self)
  }

  /// Fetches all elements.
  ///
  ///     let players = try Player.all().fetchAll(db)
  ///     // SELECT * FROM "player"
  public func fetchAll(_ db: Database) throws -> [RowDecoder] {
    try RowDecoder.fetchAll(db, self)
  }

  /// Fetches the element of the first row, or `nil` if there is no row or its value is NULL.
  ///
  ///     let player = try Player.order(\.score.desc).fetchOne(db)
  ///     // SELECT * FROM "player" ORDER BY "score" DESC LIMIT 1
  public func fetchOne(_ db: Database) throws -> RowDecoder? {
    try RowDecoder.fetchOne(db, self)
  }
}

extension FetchRequest<Row> {
  /// Fetches the rows one by one: see ``RowCursor``.
  ///
  ///     let rows = try Table("player").all().fetchCursor(db)
  ///     // SELECT * FROM "player"
  public func fetchCursor(_ db: Database) throws -> RowCursor {
    let request = try makePreparedRequest(db)
    try request.checkHasNoPrefetches()
    return try Row.fetchCursor(request.statement, adapter: request.adapter)
  }
}

extension FetchRequest where RowDecoder: Fetchable & Hashable {
  /// Fetches the distinct elements.
  ///
  ///     let names = try Player.select(\.name, as: String.self).fetchSet(db)
  ///     // SELECT "name" FROM "player"
  public func fetchSet(_ db: Database) throws -> Set<RowDecoder> {
    try RowDecoder.fetchSet(db, self)
  }
}
