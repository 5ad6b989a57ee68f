/// A request written in SQL.
///
///     let request: SQLRequest<Player> = "SELECT * FROM player WHERE name = \(name)"
///     let players = try request.fetchAll(db)
///     // SELECT * FROM player WHERE name = 'O''Brien'
public struct SQLRequest<RowDecoder>: FetchRequest, Hashable, Sendable {
  let literal: SQL

  /// Creates a request from a text with parameters.
  ///
  ///     SQLRequest<Player>(sql: "SELECT * FROM player WHERE id = ?", arguments: [1])
  ///     // SELECT * FROM player WHERE id = 1
  public init(sql: String, arguments: StatementArguments = StatementArguments()) {
    literal = SQL(sql: sql, arguments: arguments)
  }

  /// Creates a request from an SQL literal.
  ///
  ///     SQLRequest<Player>(literal: "SELECT * FROM player WHERE id = \(1)")
  ///     // SELECT * FROM player WHERE id = 1
  public init(literal: SQL) {
    self.literal = literal
  }

  /// Compiles the SQL, and binds its arguments.
  public func makePreparedRequest(
    _ db: Database,
    forSingleResult: Bool
  ) throws -> PreparedRequest {
    PreparedRequest(statement: try db.cachedStatement(literal: literal))
  }

  /// Returns the same query, with rows fetched as another type.
  ///
  ///     SQLRequest<Row>(sql: "SELECT * FROM player").asRequest(of: Player.self)
  ///     // SELECT * FROM player
  public func asRequest<Other>(of type: Other.Type) -> SQLRequest<Other> {
    SQLRequest<Other>(literal: literal)
  }
}

extension SQLRequest: ExpressibleByStringInterpolation {
  /// Creates a request from a string literal.
  public init(stringLiteral sql: String) {
    literal = SQL(stringLiteral: sql)
  }

  /// Creates a request from an interpolated string literal.
  public init(stringInterpolation: SQLInterpolation) {
    literal = SQL(stringInterpolation: stringInterpolation)
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
