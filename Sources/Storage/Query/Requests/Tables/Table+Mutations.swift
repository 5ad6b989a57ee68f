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
