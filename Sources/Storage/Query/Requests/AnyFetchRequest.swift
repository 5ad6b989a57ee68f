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

/// A fetch request that prepares the same SQL with the same arguments each time.
///
/// A request type from outside of this package may have the time of the run among its arguments.
protocol ConstantFetchRequest {}

extension SQLRequest: ConstantFetchRequest {}
extension QueryInterfaceRequest: ConstantFetchRequest {}

/// A request whose rows are read through a row adapter.
///
///     let request = SQLRequest<BookAuthorPair>(
///       sql: "SELECT book.*, author.* FROM book JOIN author ON author.id = book.authorID"
///     ).adapted { db in
///       let bookColumns = try db.columns(in: "book").count
///       return ScopeAdapter([
///         "book": RangeRowAdapter(0..<bookColumns),
///         "author": SuffixRowAdapter(fromIndex: bookColumns),
///       ])
///     }
///     // SELECT book.*, author.* FROM book JOIN author ON author.id = book.authorID
public struct AdaptedFetchRequest<Base: FetchRequest>: FetchRequest {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public typealias RowDecoder = Base.RowDecoder

  private let base: Base
  private let adapter: @Sendable (Database) throws -> any RowAdapter

  init(_ base: Base, adapter: @escaping @Sendable (Database) throws -> any RowAdapter) {
    self.base = base
    self.adapter = adapter
  }

  /// Compiles the query, and creates the adapter.
  public func makePreparedRequest(
    _ db: Database,
    forSingleResult: Bool
  ) throws -> PreparedRequest {
    let request = try base.makePreparedRequest(db, forSingleResult: forSingleResult)
    let adapter = try adapter(db)
    guard let inner = request.adapter else {
      return PreparedRequest(
        statement: request.statement,
        adapter: adapter,
        prefetches: request.prefetches
      )
    }
    return PreparedRequest(
      statement: request.statement,
      adapter: ChainedRowAdapter(inner: inner, outer: adapter),
      prefetches: request.prefetches
    )
  }

  /// The request as a subquery of another statement, which reads no adapted rows.
  public var sqlSubquery: SQLSubquery { base.sqlSubquery }

  /// Returns the number of rows.
  public func fetchCount(_ db: Database) throws -> Int { try base.fetchCount(db) }
}

extension FetchRequest {
  /// Returns the same request, with rows that are read through an adapter.
  ///
  ///     Player.select { [$0.id, $0.name] }.adapted { _ in SuffixRowAdapter(fromIndex: 1) }
  ///     // SELECT "id", "name" FROM "player"
  ///
  /// Each fetch calls the closure to create the adapter.
  public func adapted(
    _ adapter: @escaping @Sendable (Database) throws -> any RowAdapter
  ) -> AdaptedFetchRequest<Self> {
    AdaptedFetchRequest(self, adapter: adapter)
  }
}

/// A row adapter that applies two adapters, one after the other.
private struct ChainedRowAdapter: RowAdapter {
  let inner: any RowAdapter
  let outer: any RowAdapter

  func layout(adapting base: AdaptedRowLayout) throws -> AdaptedRowLayout {
    try outer.layout(adapting: inner.layout(adapting: base))
  }
}

/// A request that is ready to run on one connection.
public struct PreparedRequest {
  /// The statement, with its arguments bound.
  public let statement: Statement

  /// The adapter of the rows; `nil` to read them unchanged.
  public let adapter: (any RowAdapter)?

  /// The associated rows that are fetched for all rows.
  let prefetches: [Prefetch]

  /// The table whose rows have associated rows.
  var tableName: String?

  /// The number of the last columns that the rows do not show.
  var hiddenCount = 0

  /// Creates a prepared request.
  public init(statement: Statement, adapter: (any RowAdapter)? = nil) {
    self.init(statement: statement, adapter: adapter, prefetches: [])
  }

  init(statement: Statement, adapter: (any RowAdapter)?, prefetches: [Prefetch]) {
    self.statement = statement
    self.adapter = adapter
    self.prefetches = prefetches
  }
}

extension PreparedRequest {
  /// Throws when the request includes associated rows, which a cursor cannot provide: it reads rows
  /// one by one, before the following rows are known.
  func checkHasNoPrefetches() throws {
    guard let prefetch = prefetches.first else { return }
    throw DatabaseError(
      resultCode: .SQLITE_MISUSE,
      message: """
        a cursor cannot include \(prefetch.key), which are fetched for all rows at once: use \
        fetchAll(_:)
        """,
      sql: statement.sql
    )
  }

  /// Records the region that the request may read, if the region of this run also counts for later
  /// runs: without rows, no associated rows are fetched.
  func recordRegionOfLaterRuns(_ db: Database) throws {
    guard let recorder = db.regionRecorder, recorder.coversLaterRuns else { return }
    recorder.record(try db.unrecorded { try databaseRegion(db, argumentsAreConstant: false) })
  }

  /// Returns the region that the request reads, with the region of its associated rows.
  ///
  /// - Parameters:
  ///   - db: The connection of the request.
  ///   - argumentsAreConstant: Whether later runs have the same arguments.
  /// - Returns: The region.
  /// - Throws: ``DatabaseError`` when the schema cannot be read.
  func databaseRegion(
    _ db: Database,
    argumentsAreConstant: Bool = true
  ) throws -> DatabaseRegion {
    var region = try RegionRecorder.region(
      of: statement,
      argumentsAreConstant: argumentsAreConstant
    )
    for prefetch in prefetches {
      // The keys are not known. A text replaces them: it may be any row id, so the region has all
      // rows, and with any values. Without a key, SQLite would not read the columns of the key.
      var keys = PrefetchKeys(prefetch, db)
      _ = try keys.insert(prefetch.columns.map { _ in "".databaseValue })
      region.formUnion(
        try prefetch.query(keys).makePreparedRequest(db).databaseRegion(db).withoutValues
      )
    }
    return region
  }
}
