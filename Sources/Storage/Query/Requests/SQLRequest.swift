/// A request written in SQL.
///
///     let request: SQLRequest<Player> = "SELECT * FROM player WHERE name = \(name)"
///     let players = try request.fetchAll(db)
///     // SELECT * FROM player WHERE name = 'O''Brien'
public struct SQLRequest<RowDecoder>: FetchRequest, Hashable, Sendable {
  let literal: SQL

  /// Makes a request of a text with parameters.
  ///
  ///     SQLRequest<Player>(sql: "SELECT * FROM player WHERE id = ?", arguments: [1])
  ///     // SELECT * FROM player WHERE id = 1
  public init(sql: String, arguments: StatementArguments = StatementArguments()) {
    literal = SQL(sql: sql, arguments: arguments)
  }

  /// Makes a request of an SQL literal.
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

  /// The same query, whose rows are fetched as another type.
  ///
  ///     SQLRequest<Row>(sql: "SELECT * FROM player").asRequest(of: Player.self)
  ///     // SELECT * FROM player
  public func asRequest<Other>(of type: Other.Type) -> SQLRequest<Other> {
    SQLRequest<Other>(literal: literal)
  }
}

extension SQLRequest: ExpressibleByStringInterpolation {
  /// Makes a request of SQL.
  public init(stringLiteral sql: String) {
    literal = SQL(stringLiteral: sql)
  }

  /// Makes a request of SQL and of what it embeds.
  public init(stringInterpolation: SQLInterpolation) {
    literal = SQL(stringInterpolation: stringInterpolation)
  }
}

extension SQLRequest: CustomStringConvertible {
  /// The SQL, without the values: they may be personal.
  ///
  ///     print(SQLRequest<Player>(literal: "SELECT * FROM player WHERE id = \(1)"))
  ///     // SELECT * FROM player WHERE id = ?
  public var description: String { sqlSubquery.description }
}

extension SQLRequest: SQLSubqueryable {
  /// The request inside another statement.
  public var sqlSubquery: SQLSubquery { SQLSubquery(literal) }
}

extension SQL: Subquery {
  func write(to context: inout SQLContext) throws { try context.append(self) }
}
