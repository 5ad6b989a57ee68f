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
