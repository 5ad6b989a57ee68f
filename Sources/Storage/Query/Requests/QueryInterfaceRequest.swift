/// A request that is built in Swift rather than in SQL.
///
///     let request = Player.filter { $0.score >= 1000 }.order(\.name).limit(10)
///     let players = try request.fetchAll(db)
///     // SELECT * FROM "player" WHERE "score" >= 1000 ORDER BY "name" LIMIT 10
///
/// Requests are values: a refinement returns another request. Requests for the same query compare
/// equal, so a request can identify an observation or a shared reader.
public struct QueryInterfaceRequest<RowDecoder>: DerivableRequest, TableQuery, Hashable, Sendable {
  /// The type of the request.
  public typealias Refined = QueryInterfaceRequest<RowDecoder>

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public var selectStatement: SelectStatement

  init(_ statement: SelectStatement) {
    selectStatement = statement
  }

  /// Creates a request for all columns and rows of a table.
  init(allIn table: TableReference) {
    selectStatement = SelectStatement(
      select: SelectClause(selection: [AllColumns().sqlSelection]),
      from: FromClause(table: table)
    )
  }

  /// Compiles the query, and binds its arguments.
  public func makePreparedRequest(
    _ db: Database,
    forSingleResult: Bool
  ) throws -> PreparedRequest {
    let select = forSingleResult ? try selectStatement.first(db) : selectStatement
    return try select.makePreparedRequest(db)
  }

  /// Returns the number of rows.
  ///
  ///     try Player.filter { $0.email != nil }.fetchCount(db)
  ///     // SELECT COUNT(*) FROM "player" WHERE "email" IS NOT NULL
  public func fetchCount(_ db: Database) throws -> Int {
    try Int.fetchOne(selectStatement.count(db).prepare(db)) ?? 0
  }

  /// Returns the same query, with rows fetched as another type.
  ///
  ///     let maximum = try Player.select { max($0.score) }.asRequest(of: Int.self).fetchOne(db)
  ///     // SELECT MAX("score") FROM "player" LIMIT 1
  public func asRequest<Other>(of type: Other.Type) -> QueryInterfaceRequest<Other> {
    QueryInterfaceRequest<Other>(selectStatement)
  }
}

extension QueryInterfaceRequest: CustomStringConvertible {
  /// The SQL, as far as it is known without a schema. It omits the values, which may be personal
  /// data.
  ///
  ///     print(Player.filter { $0.score >= 1000 })
  ///     // SELECT * FROM "player" WHERE "score" >= ?
  public var description: String { sqlSubquery.description }
}

extension QueryInterfaceRequest: SQLSubqueryable {
  /// The request as a subquery of another statement.
  public var sqlSubquery: SQLSubquery { SQLSubquery(selectStatement) }
}
