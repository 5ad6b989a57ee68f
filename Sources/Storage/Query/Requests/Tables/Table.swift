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

extension Table {
  /// Inserts a row. Without assignments, all columns get their default values.
  ///
  ///     try Table("users").insert(db, [Column("name").set(to: "Alice")])
  ///     // INSERT INTO "users" ("name") VALUES ('Alice')
  ///
  ///     try Table("timestamps").insert(db)
  ///     // INSERT INTO "timestamps" DEFAULT VALUES
  ///
  /// - Returns: The row id, as ``Database/lastInsertedRowID`` reports it.
  /// - Throws: ``DatabaseError`` with an extended code of `SQLITE_CONSTRAINT` when a constraint is
  ///   violated.
  @discardableResult
  public func insert(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    _ assignments: [ColumnAssignment] = []
  ) throws -> Int64 {
    try run(.assignments(assignments), conflictResolution, db)
    return db.lastInsertedRowID
  }

  /// Inserts the rows of a query.
  ///
  ///     try Table("archive").insert(db, from: Table("users").filter(Column("id") < 10))
  ///     // INSERT INTO "archive" SELECT * FROM "users" WHERE "id" < 10
  ///
  /// - Returns: The number of rows inserted; into a view, the number of rows that its `INSTEAD OF`
  ///   triggers have changed.
  /// - Throws: ``DatabaseError`` with an extended code of `SQLITE_CONSTRAINT` when a constraint is
  ///   violated.
  @discardableResult
  public func insert(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    columns: [any NamedColumn] = [],
    from query: some SQLSubqueryable
  ) throws -> Int {
    try db.countingChanges(of: tableName) {
      try run(.query(columns.map(\.name), query.sqlSubquery), conflictResolution, db)
    }.count
  }

  private func run(
    _ source: Insert.Source,
    _ conflict: Database.ConflictResolution?,
    _ db: Database
  ) throws {
    let policy = PersistenceConflictPolicy.of(RowDecoder.self)
    let conflict = conflict ?? policy.conflictResolutionForInsert
    let insert = Insert(table: tableName, conflict: conflict, source: source)
    try insert.prepare(db).execute()
  }
}
