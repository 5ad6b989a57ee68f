extension MutablePersistableRecord {
  /// Inserts a row, or updates the row that conflicts with it by a unique constraint.
  ///
  ///     try player.upsert(db)
  ///     // INSERT INTO "player" ("id", "name") VALUES (1, 'Arthur')
  ///     // ON CONFLICT DO UPDATE SET "name" = "excluded"."name" RETURNING "rowid"
  ///
  /// An update overwrites all columns of the record except the primary key. The insertion callbacks
  /// are called in both cases.
  ///
  /// - Throws: ``DatabaseError`` with an extension of `SQLITE_CONSTRAINT` when another constraint
  ///   forbids the row, and the errors of encoding and callbacks.
  public mutating func upsert(_ db: Database) throws {
    try insertCallingBack(db) { try $0.runUpsert(db) }
  }

  /// Inserts a row, or updates the conflicting row, and returns the record as completed by the
  /// database.
  ///
  ///     let player = try Player(id: nil, email: "a@example.com").upserted(db)
  ///     // INSERT INTO "player" … ON CONFLICT DO UPDATE SET … RETURNING "rowid"
  public func upserted(_ db: Database) throws -> Self {
    var record = self
    try record.upsert(db)
    return record
  }

  /// Inserts a row, or updates the conflicting row, and fetches it.
  ///
  ///     let player = try player.upsertAndFetch(db, onConflict: ["email"]) { excluded in
  ///       [Column("score") += 1]
  ///     }
  ///     // INSERT INTO "player" ("email", "score") VALUES ('a@example.com', 0)
  ///     // ON CONFLICT("email") DO UPDATE SET "score" = "score" + 1 RETURNING *
  ///
  /// - Parameters:
  ///   - db: A writable connection.
  ///   - type: The type of the fetched record.
  ///   - target: The columns of the unique constraint. By default, a conflict with any constraint
  ///     leads to an update.
  ///   - assignments: The changes to the conflicting row; by default, all columns of the record
  ///     except the primary key are overwritten. The alias refers to the row that could not be
  ///     inserted.
  /// - Returns: The row.
  /// - Throws: ``DatabaseError`` with an extension of `SQLITE_CONSTRAINT` when another constraint
  ///   forbids the row, and the errors of encoding and callbacks.
  public mutating func upsertAndFetch<Fetched: FetchableRecord & TableRecord>(
    _ db: Database,
    as type: Fetched.Type,
    onConflict target: [String] = [],
    doUpdate assignments: ((TableAlias<Self>) -> [ColumnAssignment])? = nil
  ) throws -> Fetched {
    var fetched: Fetched?
    try insertCallingBack(db) { record in
      let statement = try record.prepareUpsert(
        target,
        assignments,
        returning: Fetched.databaseSelection,
        db
      )
      fetched = try Fetched.fetchAll(statement).first
      return Self.insertionSuccess(db)
    }
    // The statement has inserted or updated a row, and has returned it.
    return fetched!
  }

  fileprivate func runUpsert(_ db: Database) throws -> InsertionSuccess {
    let key = try db.primaryKey(Self.databaseTableName)
    let statement = try prepareUpsert(
      [],
      nil,
      returning: [key.tableHasRowID ? Column.rowID : Column(key.columns[0])],
      db
    )
    // An update does not change the last inserted row id, so the statement returns the row id.
    let rowID = try DatabaseValue.fetchAll(statement).first.flatMap(Int64.fromDatabaseValue)
    return InsertionSuccess(rowID: rowID ?? db.lastInsertedRowID, of: Self.self, db)
  }

  private func prepareUpsert(
    _ target: [String],
    _ assignments: ((TableAlias<Self>) -> [ColumnAssignment])?,
    returning selection: [any SQLSelectable],
    _ db: Database
  ) throws -> Statement {
    let record = try EncodedRecord(self, db)
    let excluded = TableAlias<Self>(reference: TableReference(tableName: "excluded"))
    let own = record.assignments(of: nil)
    let overwritten = (own.isEmpty ? record.keyAssignments : own)
      .map { ColumnAssignment($0.column, excluded[Column($0.column)]) }
    var insert = Self.insertion(record.assignments, .abort, returning: selection)
    insert.upsert = UpsertClause(
      target: target,
      assignments: assignments.map { $0(excluded) } ?? overwritten
    )
    return try db.cachedStatement { try insert.write(to: &$0) }
  }
}

extension PersistableRecord {
  /// Inserts a row, or updates the row that conflicts with it by a unique constraint.
  ///
  ///     try player.upsert(db)
  ///     // INSERT INTO "player" ("id", "name") VALUES (1, 'Arthur')
  ///     // ON CONFLICT DO UPDATE SET "name" = "excluded"."name" RETURNING "rowid"
  public func upsert(_ db: Database) throws {
    var record = self
    try record.insertCallingBack(db) { try $0.runUpsert(db) }
  }
}
