/// A request written in SQL.
///
///     let request: SQLRequest<Player> = "SELECT * FROM player WHERE name = \(name)"
///     let players = try request.fetchAll(db)
///     // SELECT * FROM player WHERE name = 'O''Brien'
///
/// Requests are equal if their SQL and their values are, and if they read rows through equal
/// adapters. An adapter that is not `Hashable` is equal to copies of itself only.
public struct SQLRequest<RowDecoder>: FetchRequest, Hashable, Sendable {
  private let literal: SQL
  private var hashableAdapter: HashableRowAdapter?
  private let isCached: Bool

  /// The adapter of the rows; `nil` to read them unchanged.
  public var adapter: (any RowAdapter)? {
    get { hashableAdapter?.adapter }
    set { hashableAdapter = newValue.map { HashableRowAdapter($0) } }
  }

  /// Creates a request from a text with parameters.
  ///
  ///     SQLRequest<Player>(sql: "SELECT * FROM player WHERE id = ?", arguments: [1])
  ///     // SELECT * FROM player WHERE id = 1
  ///
  /// - Parameters:
  ///   - sql: A query.
  ///   - arguments: The values of its parameters.
  ///   - adapter: The adapter of the rows; `nil` to read them unchanged.
  ///   - cached: Whether the connection keeps the compiled statement for the next fetch. `false`
  ///     suits SQL that is different each time.
  public init(
    sql: String,
    arguments: StatementArguments = StatementArguments(),
    adapter: (any RowAdapter)? = nil,
    cached: Bool = true
  ) {
    self.init(literal: SQL(sql: sql, arguments: arguments), adapter: adapter, cached: cached)
  }

  /// Creates a request from an SQL literal.
  ///
  ///     SQLRequest<Player>(literal: "SELECT * FROM player WHERE id = \(1)")
  ///     // SELECT * FROM player WHERE id = 1
  ///
  /// - Parameters:
  ///   - literal: A query, with its values.
  ///   - adapter: The adapter of the rows; `nil` to read them unchanged.
  ///   - cached: Whether the connection keeps the compiled statement for the next fetch. `false`
  ///     suits SQL that is different each time.
  public init(literal: SQL, adapter: (any RowAdapter)? = nil, cached: Bool = true) {
    self.literal = literal
    isCached = cached
    self.adapter = adapter
  }

  /// Compiles the SQL, and binds its arguments.
  public func makePreparedRequest(
    _ db: Database,
    forSingleResult: Bool
  ) throws -> PreparedRequest {
    PreparedRequest(statement: try statement(db), adapter: adapter)
  }

  private func statement(_ db: Database) throws -> Statement {
    if isCached { return try db.cachedStatement { try $0.append(literal) } }
    let (sql, arguments) = try literal.build(db)
    let statement = try db.makeStatement(sql: sql)
    try statement.setArguments(arguments)
    return statement
  }

  /// Returns the same query, with rows fetched as another type.
  ///
  ///     SQLRequest<Row>(sql: "SELECT * FROM player").asRequest(of: Player.self)
  ///     // SELECT * FROM player
  public func asRequest<Other>(of type: Other.Type) -> SQLRequest<Other> {
    SQLRequest<Other>(literal: literal, adapter: adapter, cached: isCached)
  }
}

// Without a type, the rows are fetched as `Row`.
extension SQLRequest<Row> {
  /// Creates a request from a text with parameters, whose rows are fetched as ``Row``.
  ///
  ///     let request = SQLRequest(sql: "SELECT * FROM player WHERE id = ?", arguments: [1])
  ///     let rows = try request.fetchAll(db)
  ///     // SELECT * FROM player WHERE id = 1
  public init(
    sql: String,
    arguments: StatementArguments = StatementArguments(),
    adapter: (any RowAdapter)? = nil,
    cached: Bool = true
  ) {
    self.init(literal: SQL(sql: sql, arguments: arguments), adapter: adapter, cached: cached)
  }

  /// Creates a request from an SQL literal, whose rows are fetched as ``Row``.
  ///
  ///     SQLRequest(literal: "SELECT * FROM player WHERE id = \(1)")
  ///     // SELECT * FROM player WHERE id = 1
  public init(literal: SQL, adapter: (any RowAdapter)? = nil, cached: Bool = true) {
    self.literal = literal
    isCached = cached
    self.adapter = adapter
  }
}

extension SQLRequest: ExpressibleByStringInterpolation {
  /// Creates a request from a string literal.
  public init(stringLiteral sql: String) {
    self.init(literal: SQL(stringLiteral: sql))
  }

  /// Creates a request from an interpolated string literal.
  public init(stringInterpolation: SQLInterpolation) {
    self.init(literal: SQL(stringInterpolation: stringInterpolation))
  }
}

extension SQLRequest: CustomStringConvertible {
  /// The SQL. It omits the values, which may be personal data.
  ///
  ///     print(SQLRequest<Player>(literal: "SELECT * FROM player WHERE id = \(1)"))
  ///     // SELECT * FROM player WHERE id = ?
  public var description: String { sqlSubquery.description }
}

extension SQLRequest: SQLSubqueryable {
  /// The request as a subquery of another statement.
  public var sqlSubquery: SQLSubquery { SQLSubquery(literal) }
}

extension SQL: Subquery {
  func write(to context: inout SQLContext) throws { try context.append(self) }
}
