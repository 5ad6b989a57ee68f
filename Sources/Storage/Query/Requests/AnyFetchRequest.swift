/// A type-erased request for rows of one type.
///
///     let request = AnyFetchRequest(Player.filter { $0.score >= 1000 })
///     let players = try request.fetchAll(db)
///     // SELECT * FROM "player" WHERE "score" >= 1000
public struct AnyFetchRequest<RowDecoder>: FetchRequest {
  private let prepare: @Sendable (Database, Bool) throws -> PreparedRequest
  private let count: @Sendable (Database) throws -> Int

  /// The wrapped request as a subquery of another statement.
  public let sqlSubquery: SQLSubquery

  /// Wraps a request.
  public init(_ request: some FetchRequest<RowDecoder>) {
    prepare = { try request.makePreparedRequest($0, forSingleResult: $1) }
    count = { try request.fetchCount($0) }
    sqlSubquery = request.sqlSubquery
  }

  private init(
    prepare: @escaping @Sendable (Database, Bool) throws -> PreparedRequest,
    count: @escaping @Sendable (Database) throws -> Int,
    sqlSubquery: SQLSubquery
  ) {
    self.prepare = prepare
    self.count = count
    self.sqlSubquery = sqlSubquery
  }

  /// Compiles the query, and binds its arguments.
  public func makePreparedRequest(
    _ db: Database,
    forSingleResult: Bool
  ) throws -> PreparedRequest {
    try prepare(db, forSingleResult)
  }

  /// Returns the number of rows, as the wrapped request counts them.
  public func fetchCount(_ db: Database) throws -> Int { try count(db) }

  /// Returns the same query, with rows fetched as another type.
  public func asRequest<Other>(of type: Other.Type) -> AnyFetchRequest<Other> {
    AnyFetchRequest<Other>(prepare: prepare, count: count, sqlSubquery: sqlSubquery)
  }
}
