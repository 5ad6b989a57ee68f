/// A table, a view or a virtual table, with or without a record type.
///
///     let users = Table("users")
///     let rows = try users.filter(Column("id") == 1).fetchAll(db)
///     // SELECT * FROM "users" WHERE "id" = 1
///
///     let players = try Table<Player>("player_2026").fetchAll(db)
///     // SELECT * FROM "player_2026"
public struct Table<RowDecoder>: TableQuery, Hashable, Sendable {
  /// The type of the requests for rows of the table.
  public typealias Refined = QueryInterfaceRequest<RowDecoder>

  /// The name of the table.
  public let tableName: String

  // Without a type, the compiler need not look for one: rows are fetched as `Row`.
  /// Creates a table whose rows are fetched as `RowDecoder`.
  @_disfavoredOverload
  public init(_ tableName: String) {
    self.tableName = tableName
  }

  /// Returns a request for all rows.
  ///
  ///     Table("users").all()
  ///     // SELECT * FROM "users"
  public func all() -> QueryInterfaceRequest<RowDecoder> {
    QueryInterfaceRequest(allIn: tableReference)
  }

  /// The query of all rows as a subquery of another statement.
  public var sqlSubquery: SQLSubquery { all().sqlSubquery }

  /// Compiles the query of all rows.
  public func makePreparedRequest(
    _ db: Database,
    forSingleResult: Bool
  ) throws -> PreparedRequest {
    try all().makePreparedRequest(db, forSingleResult: forSingleResult)
  }

  /// Returns the number of rows.
  ///
  ///     try Table("users").fetchCount(db)
  ///     // SELECT COUNT(*) FROM "users"
  public func fetchCount(_ db: Database) throws -> Int { try all().fetchCount(db) }
}

extension Table<Row> {
  /// Creates a table whose rows are fetched as ``Row``.
  public init(_ tableName: String) {
    self.tableName = tableName
  }
}

// MARK: - Columns

extension Table: TableNaming {
  /// The table under its own name.
  public var tableReference: TableReference { TableReference(tableName: tableName) }
}
