/// A table, a view or a virtual table, with or without a record type.
///
///     let users = Table("users")
///     let rows = try users.filter(Column("id") == 1).fetchAll(db)
///     // SELECT * FROM "users" WHERE "id" = 1
///
///     let players = try Table<Player>("player_2026").fetchAll(db)
///     // SELECT * FROM "player_2026"
public struct Table<RowDecoder>: FetchRequest, Hashable, Sendable {
  /// The name of the table.
  public let tableName: String

  /// Creates a table whose rows are fetched as `RowDecoder`.
  public init(_ tableName: String) {
    self.tableName = tableName
  }

  /// Returns a request for all rows.
  ///
  ///     Table("users").all()
  ///     // SELECT * FROM "users"
  public func all() -> QueryInterfaceRequest<RowDecoder> {
    QueryInterfaceRequest(
      SelectStatement(
        select: SelectClause(selection: [AllColumns().sqlSelection]),
        from: FromClause(table: tableReference)
      )
    )
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

// MARK: - Requests

extension Table {
  /// Returns a request for the rows for which a condition is true.
  ///
  ///     Table("users").filter(Column("id") == 1)
  ///     // SELECT * FROM "users" WHERE "id" = 1
  public func filter(_ condition: any SQLCondition) -> QueryInterfaceRequest<RowDecoder> {
    all().filter(condition)
  }

  /// Returns a request for the row with the given primary key: see
  /// ``DerivableRequest/filter(key:)-(DatabaseValueConvertible)``.
  ///
  ///     Table("users").filter(key: 1)
  ///     // SELECT * FROM "users" WHERE "id" = 1
  public func filter(key: any DatabaseValueConvertible) -> QueryInterfaceRequest<RowDecoder> {
    all().filter(key: key)
  }

  /// Returns a request for the rows of a full-text table that match a pattern: see
  /// ``DerivableRequest/matching(_:)``.
  ///
  ///     Table("document").matching("sqlite database")
  ///     // SELECT * FROM "document" WHERE "document" MATCH 'sqlite database'
  public func matching(_ pattern: (any SQLExpressible)?) -> QueryInterfaceRequest<RowDecoder> {
    all().matching(pattern)
  }

  /// Selects the result columns.
  ///
  ///     Table("users").select(Column("id"), Column("email"))
  ///     // SELECT "id", "email" FROM "users"
  public func select(_ selection: any SQLSelectable...) -> QueryInterfaceRequest<RowDecoder> {
    all().select(selection)
  }

  /// Selects the result columns, and the type that the rows are fetched as.
  ///
  ///     Table("users").select(Column("email"), as: String.self)
  ///     // SELECT "email" FROM "users"
  public func select<Other>(
    _ selection: any SQLSelectable...,
    as type: Other.Type
  ) -> QueryInterfaceRequest<Other> {
    all().select(selection, as: type)
  }

  /// Sorts the rows.
  ///
  ///     Table("users").order(Column("email"), Column("name").desc)
  ///     // SELECT * FROM "users" ORDER BY "email", "name" DESC
  public func order(_ terms: any SQLOrderingTerm...) -> QueryInterfaceRequest<RowDecoder> {
    all().order(terms)
  }

  /// Limits the number of rows, optionally after an offset.
  ///
  ///     Table("users").limit(5, offset: 1)
  ///     // SELECT * FROM "users" LIMIT 5 OFFSET 1
  public func limit(_ count: Int, offset: Int? = nil) -> QueryInterfaceRequest<RowDecoder> {
    all().limit(count, offset: offset)
  }
}

// MARK: - Columns

extension Table: TableNaming {
  /// The table under its own name.
  public var tableReference: TableReference { TableReference(tableName: tableName) }
}
