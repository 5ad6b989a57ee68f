/// A request whose refinements have its own type.
///
/// Extend the protocol to name frequent refinements:
///
///     extension DerivableRequest<Player> {
///       func leading() -> Self { filter { $0.score >= 1000 }.order(\.score.desc) }
///     }
///     let players = try Player.all().leading().fetchAll(db)
///     // SELECT * FROM "player" WHERE "score" >= 1000 ORDER BY "score" DESC
///
/// ``RefinableRequest`` has the refinements.
public protocol DerivableRequest<RowDecoder>: RefinableRequest where Refined == Self {
  /// The query.
  var selectStatement: SelectStatement { get set }
}

extension DerivableRequest {
  /// Returns the request itself.
  ///
  ///     Player.limit(1).all()
  ///     // SELECT * FROM "player" LIMIT 1
  public func all() -> Self { self }

  /// Returns a changed copy.
  func changed(_ change: (inout Self) throws -> Void) rethrows -> Self {
    var copy = self
    try change(&copy)
    return copy
  }
}

// GRDB divides the refinements of a request among several protocols. Here they are one protocol.
// With these names, extensions that were written for one of GRDB's protocols compile.

/// A request that can be filtered: ``DerivableRequest``.
public typealias FilteredRequest = DerivableRequest

/// A request that can be sorted: ``DerivableRequest``.
public typealias OrderedRequest = DerivableRequest

/// A request whose result columns can be chosen: ``DerivableRequest``.
public typealias SelectionRequest = DerivableRequest

/// A request whose rows can be grouped: ``DerivableRequest``.
public typealias AggregatingRequest = DerivableRequest

/// A request for the rows of a table: ``DerivableRequest``.
public typealias TableRequest = DerivableRequest

/// A request that can be joined by associations: ``DerivableRequest``.
public typealias JoinableRequest = DerivableRequest

/// A request that knows the type of its rows: ``DerivableRequest``.
public typealias TypedRequest = DerivableRequest

extension DerivableRequest {
  /// Selects the primary key.
  ///
  ///     Player.all().selectPrimaryKey()
  ///     // SELECT "id" FROM "player"
  public func selectPrimaryKey() -> Self { select(SQLExpression(PrimaryKeyColumns())) }
}

// A string is not a column: these members do not compile, and name the correct code.

extension DerivableRequest {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  @available(
    *,
    unavailable,
    message: "write Column(\"name\") for a column, or select(sql:) for SQL"
  )
  public func select(_ columns: String...) -> Self { self }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  @available(
    *,
    unavailable,
    message: "write Column(\"name\") for a column, or order(sql:) for SQL"
  )
  public func order(_ columns: String...) -> Self { self }
}

extension TableRecord {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  @available(
    *,
    unavailable,
    message: "write Column(\"name\") for a column, or select(sql:) for SQL"
  )
  public static func select(_ columns: String...) -> QueryInterfaceRequest<Self> { all() }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  @available(
    *,
    unavailable,
    message: "write Column(\"name\") for a column, or order(sql:) for SQL"
  )
  public static func order(_ columns: String...) -> QueryInterfaceRequest<Self> { all() }
}
