extension TableQuery {
  /// Updates the rows.
  ///
  ///     try Player.filter { $0.team == "Reds" }.updateAll(db, [Column("score") += 100])
  ///     // UPDATE "player" SET "score" = "score" + 100 WHERE "team" = 'Reds'
  ///
  /// One statement updates the rows, so either all are updated or none. The rows of a join are
  /// selected by their primary keys. Without assignments, no statement is run.
  ///
  /// A value can come from an associated row, if each row is joined with one such row at most:
  ///
  ///     let team = TableAlias<Team>()
  ///     try Player.joining(required: Player.team.aliased(team))
  ///       .updateAll(db) { [$0.bonus.set(to: team.id)] }
  ///     // UPDATE "player" SET "bonus" = ":new".":1" FROM
  ///     // (SELECT "player"."id" AS ":key1", "team"."id" AS ":1" FROM "player" JOIN …) ":new"
  ///     // WHERE "player"."id" = ":new".":key1"
  ///
  /// - Returns: The number of rows updated. For a view, where SQLite counts none, the number of
  ///   rows that the `INSTEAD OF` triggers changed.
  /// - Throws: ``DatabaseError`` with an extended code of `SQLITE_CONSTRAINT` when a constraint is
  ///   violated, and with `SQLITE_MISUSE` when the rows of the request are not rows of a table:
  ///   groups, aggregates, distinct values without the primary key, or the rows of a common table
  ///   expression.
  @discardableResult
  public func updateAll(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    _ assignments: [ColumnAssignment]
  ) throws -> Int {
    guard !assignments.isEmpty else { return 0 }
    let update = update(conflictResolution, assignments, returning: [])
    return try db.countingChanges(of: update.rows.table.tableName) {
      try update.prepare(db).execute()
    }.count
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

  /// Returns the statement that updates the rows, and selects the default columns or other ones.
  func update(
    _ conflict: Database.ConflictResolution?,
    _ assignments: [ColumnAssignment],
    returning selection: [SQLSelection]? = nil
  ) -> Update {
    let policy = PersistenceConflictPolicy.of(RowDecoder.self)
    return Update(
      conflict: conflict ?? policy.conflictResolutionForUpdate,
      assignments: assignments,
      rows: RowSelection(request.selectStatement, returning: selection)
    )
  }
}

extension TableQuery where RowDecoder: TableRecord {
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

  // A closure of several statements returns nothing. It is then treated as a closure that should
  // return an array, and the error says so.

  /// Updates the rows.
  ///
  ///     try Player.filter { $0.team == "Reds" }.updateAll(db) { $0.score += 100 }
  ///     // UPDATE "player" SET "score" = "score" + 100 WHERE "team" = 'Reds'
  @_disfavoredOverload
  @discardableResult
  public func updateAll(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    assignment: (RowDecoder.DatabaseComponents) throws -> ColumnAssignment
  ) throws -> Int {
    try updateAll(db, onConflict: conflictResolution, [assignment(RowDecoder.databaseComponents)])
  }
}

extension TableQuery where RowDecoder: Fetchable {
  /// Updates the rows, and fetches the updated rows, in no particular order.
  ///
  ///     let players = try Player.all().updateAndFetchAll(db, [Column("score") += 100])
  ///     // UPDATE "player" SET "score" = "score" + 100 RETURNING *
  ///
  /// A record has all of its columns, also where the request selects only some of them.
  ///
  /// - Throws: The errors of `updateAll`, and ``DatabaseError`` with `SQLITE_MISUSE` when the
  ///   request includes associated rows.
  public func updateAndFetchAll(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    _ assignments: [ColumnAssignment]
  ) throws -> [RowDecoder] {
    guard !assignments.isEmpty else { return try fetchAll(db) }
    let update = update(conflictResolution, assignments, returning: returnedSelection)
    let statement = try update.prepare(db)
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
    let update = update(conflictResolution, assignments, returning: returnedSelection)
    let statement = try update.prepare(db)
    return try RowDecoder.fetchCursor(statement)
  }
}

extension TableQuery where RowDecoder: Fetchable & Hashable {
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

extension TableQuery where RowDecoder: Fetchable & TableRecord {
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

extension TableQuery where RowDecoder: Fetchable & TableRecord & Hashable {
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
