// MARK: - DELETE

extension QueryInterfaceRequest {
  /// Deletes the rows.
  ///
  ///     try Player.filter { $0.score < 10 }.deleteAll(db)
  ///     // DELETE FROM "player" WHERE "score" < 10
  ///
  /// One statement deletes the rows, so either all are deleted or none. The rows of a join, of
  /// groups or of distinct values are selected by their primary keys.
  ///
  /// - Returns: The number of rows deleted, without those deleted by triggers or cascades.
  /// - Throws: ``DatabaseError`` with `SQLITE_CONSTRAINT_FOREIGNKEY` when a child row blocks the
  ///   delete.
  @discardableResult
  public func deleteAll(_ db: Database) throws -> Int {
    try deletion(returning: []).prepare(db).execute()
    return db.changesCount
  }

  private func deletion(returning selection: [SQLSelection]) -> Delete {
    Delete(rows: rows(returning: selection))
  }

  fileprivate func rows(returning selection: [SQLSelection]) -> RowSelection {
    RowSelection(request: selectStatement, returning: ReturningClause(selection: selection))
  }
}

extension QueryInterfaceRequest where RowDecoder: Fetchable {
  /// Deletes the rows, and fetches the deleted rows.
  ///
  ///     let players = try Player.filter { $0.score < 10 }.deleteAndFetchAll(db)
  ///     // DELETE FROM "player" WHERE "score" < 10 RETURNING *
  public func deleteAndFetchAll(_ db: Database) throws -> [RowDecoder] {
    try RowDecoder.fetchAll(deletion(returning: selectStatement.select.selection).prepare(db))
  }

  /// Deletes the rows, and fetches them one by one. The rows are deleted at the first step of the
  /// cursor.
  ///
  ///     let players = try Player.filter { $0.score < 10 }.deleteAndFetchCursor(db)
  ///     // DELETE FROM "player" WHERE "score" < 10 RETURNING *
  public func deleteAndFetchCursor(_ db: Database) throws -> DecodingCursor<RowDecoder> {
    try RowDecoder.fetchCursor(deletion(returning: selectStatement.select.selection).prepare(db))
  }
}

extension QueryInterfaceRequest where RowDecoder: Fetchable & Hashable {
  /// Deletes the rows, and fetches the distinct deleted rows.
  ///
  ///     let players = try Player.filter { $0.score < 10 }.deleteAndFetchSet(db)
  ///     // DELETE FROM "player" WHERE "score" < 10 RETURNING *
  public func deleteAndFetchSet(_ db: Database) throws -> Set<RowDecoder> {
    try Set(deleteAndFetchAll(db))
  }
}

extension QueryInterfaceRequest
where
  RowDecoder: TableRecord & Identifiable,
  RowDecoder.ID: DatabaseValueConvertible,
  RowDecoder.ID.Unwrapped: Hashable
{
  /// Deletes the rows, and fetches their primary keys.
  ///
  ///     let ids = try Player.filter { $0.score < 10 }.deleteAndFetchIds(db)
  ///     // DELETE FROM "player" WHERE "score" < 10 RETURNING "id"
  public func deleteAndFetchIds(_ db: Database) throws -> Set<RowDecoder.ID.Unwrapped> {
    let key = try db.primaryKey(RowDecoder.databaseTableName).columns[0]
    let statement = try deletion(returning: [Column(key).sqlSelection]).prepare(db)
    return try Set(RowDecoder.ID.Unwrapped.fetchAll(statement))
  }
}

// MARK: - UPDATE

extension QueryInterfaceRequest {
  /// Updates the rows.
  ///
  ///     try Player.filter { $0.team == "Reds" }.updateAll(db, [Column("score") += 100])
  ///     // UPDATE "player" SET "score" = "score" + 100 WHERE "team" = 'Reds'
  ///
  /// One statement updates the rows, so either all are updated or none. The rows of a join, of
  /// groups or of distinct values are selected by their primary keys. Without assignments, no
  /// statement is run.
  ///
  /// - Returns: The number of rows updated.
  /// - Throws: ``DatabaseError`` with an extended code of `SQLITE_CONSTRAINT` when a constraint is
  ///   violated.
  @discardableResult
  public func updateAll(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    _ assignments: [ColumnAssignment]
  ) throws -> Int {
    guard !assignments.isEmpty else { return 0 }
    try update(conflictResolution, assignments, returning: []).prepare(db).execute()
    return db.changesCount
  }

  /// Updates the rows.
  ///
  ///     try Player.all().updateAll(db, Column("score") += 100, Column("bonus").set(to: 0))
  ///     // UPDATE "player" SET "score" = "score" + 100, "bonus" = 0
  @discardableResult
  public func updateAll(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    _ assignments: ColumnAssignment...
  ) throws -> Int {
    try updateAll(db, onConflict: conflictResolution, assignments)
  }

  fileprivate func update(
    _ conflict: Database.ConflictResolution?,
    _ assignments: [ColumnAssignment],
    returning selection: [SQLSelection]
  ) -> Update {
    let policy = (RowDecoder.self as? any MutablePersistableRecord.Type)?.persistenceConflictPolicy
    let conflict = conflict ?? policy?.conflictResolutionForUpdate ?? .abort
    return Update(conflict: conflict, assignments: assignments, rows: rows(returning: selection))
  }
}

extension QueryInterfaceRequest where RowDecoder: TableRecord {
  /// Updates the rows.
  ///
  ///     try Player.all().updateAll(db) { [$0.score += 100, $0.bonus.set(to: 0)] }
  ///     // UPDATE "player" SET "score" = "score" + 100, "bonus" = 0
  @discardableResult
  public func updateAll(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    assignments: (RowDecoder.DatabaseComponents) throws -> [ColumnAssignment]
  ) throws -> Int {
    try updateAll(db, onConflict: conflictResolution, assignments(RowDecoder.databaseComponents))
  }

  /// Updates the rows.
  ///
  ///     try Player.filter { $0.team == "Reds" }.updateAll(db) { $0.score += 100 }
  ///     // UPDATE "player" SET "score" = "score" + 100 WHERE "team" = 'Reds'
  @discardableResult
  public func updateAll(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    assignment: (RowDecoder.DatabaseComponents) throws -> ColumnAssignment
  ) throws -> Int {
    try updateAll(db, onConflict: conflictResolution, [assignment(RowDecoder.databaseComponents)])
  }
}

extension QueryInterfaceRequest where RowDecoder: Fetchable {
  /// Updates the rows, and fetches the updated rows.
  ///
  ///     let players = try Player.all().updateAndFetchAll(db, [Column("score") += 100])
  ///     // UPDATE "player" SET "score" = "score" + 100 RETURNING *
  public func updateAndFetchAll(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    _ assignments: [ColumnAssignment]
  ) throws -> [RowDecoder] {
    guard !assignments.isEmpty else { return try fetchAll(db) }
    let selection = selectStatement.select.selection
    let statement = try update(conflictResolution, assignments, returning: selection).prepare(db)
    return try RowDecoder.fetchAll(statement)
  }

  /// Updates the rows, and fetches them one by one. The rows are updated at the first step of the
  /// cursor.
  ///
  ///     let players = try Player.all().updateAndFetchCursor(db, [Column("score") += 100])
  ///     // UPDATE "player" SET "score" = "score" + 100 RETURNING *
  public func updateAndFetchCursor(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    _ assignments: [ColumnAssignment]
  ) throws -> DecodingCursor<RowDecoder> {
    guard !assignments.isEmpty else { return try fetchCursor(db) }
    let selection = selectStatement.select.selection
    let statement = try update(conflictResolution, assignments, returning: selection).prepare(db)
    return try RowDecoder.fetchCursor(statement)
  }
}

extension QueryInterfaceRequest where RowDecoder: Fetchable & Hashable {
  /// Updates the rows, and fetches the distinct updated rows.
  ///
  ///     let players = try Player.all().updateAndFetchSet(db, [Column("score") += 100])
  ///     // UPDATE "player" SET "score" = "score" + 100 RETURNING *
  public func updateAndFetchSet(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    _ assignments: [ColumnAssignment]
  ) throws -> Set<RowDecoder> {
    try Set(updateAndFetchAll(db, onConflict: conflictResolution, assignments))
  }
}

extension QueryInterfaceRequest where RowDecoder: Fetchable & TableRecord {
  /// Updates the rows, and fetches the updated rows.
  ///
  ///     let players = try Player.all().updateAndFetchAll(db) { [$0.score += 100] }
  ///     // UPDATE "player" SET "score" = "score" + 100 RETURNING *
  public func updateAndFetchAll(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    assignments: (RowDecoder.DatabaseComponents) throws -> [ColumnAssignment]
  ) throws -> [RowDecoder] {
    try updateAndFetchAll(
      db,
      onConflict: conflictResolution,
      assignments(RowDecoder.databaseComponents)
    )
  }

  /// Updates the rows, and fetches them one by one. The rows are updated at the first step of the
  /// cursor.
  ///
  ///     let players = try Player.all().updateAndFetchCursor(db) { [$0.score += 100] }
  ///     // UPDATE "player" SET "score" = "score" + 100 RETURNING *
  public func updateAndFetchCursor(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    assignments: (RowDecoder.DatabaseComponents) throws -> [ColumnAssignment]
  ) throws -> DecodingCursor<RowDecoder> {
    try updateAndFetchCursor(
      db,
      onConflict: conflictResolution,
      assignments(RowDecoder.databaseComponents)
    )
  }
}

extension QueryInterfaceRequest where RowDecoder: Fetchable & TableRecord & Hashable {
  /// Updates the rows, and fetches the distinct updated rows.
  ///
  ///     let players = try Player.all().updateAndFetchSet(db) { [$0.score += 100] }
  ///     // UPDATE "player" SET "score" = "score" + 100 RETURNING *
  public func updateAndFetchSet(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    assignments: (RowDecoder.DatabaseComponents) throws -> [ColumnAssignment]
  ) throws -> Set<RowDecoder> {
    try Set(updateAndFetchAll(db, onConflict: conflictResolution, assignments: assignments))
  }
}

// MARK: - Preparing

extension Update {
  fileprivate func prepare(_ db: Database) throws -> Statement {
    try db.cachedStatement { try write(to: &$0) }
  }
}

extension Delete {
  fileprivate func prepare(_ db: Database) throws -> Statement {
    try db.cachedStatement { try write(to: &$0) }
  }
}
