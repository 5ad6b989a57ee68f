// Statements that change rows, and return columns of them.

extension TableQuery {
  /// Returns a statement that deletes the rows when it runs, and returns columns of them.
  ///
  ///     let statement = try Player.filter { $0.score < 10 }
  ///       .deleteAndFetchStatement(db, selection: [Column("name")])
  ///     let names = try String.fetchSet(statement)
  ///     // DELETE FROM "player" WHERE "score" < 10 RETURNING "name"
  public func deleteAndFetchStatement(
    _ db: Database,
    selection: [any SQLSelectable]
  ) throws -> Statement {
    try deletion(returning: selection.map(\.sqlSelection)).prepare(db)
  }

  /// Returns a statement that updates the rows when it runs, and returns columns of them.
  ///
  ///     let statement = try Player.all()
  ///       .updateAndFetchStatement(db, [Column("score") += 1], selection: [Column("score")])
  ///     let scores = try Int.fetchAll(statement)
  ///     // UPDATE "player" SET "score" = "score" + 1 RETURNING "score"
  ///
  /// Without assignments, the statement fetches the columns, and changes nothing.
  public func updateAndFetchStatement(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    _ assignments: [ColumnAssignment],
    selection: [any SQLSelectable]
  ) throws -> Statement {
    guard !assignments.isEmpty else {
      return try request.select(selection).makePreparedRequest(db).statement
    }
    let returned = selection.map(\.sqlSelection)
    return try update(conflictResolution, assignments, returning: returned).prepare(db)
  }
}

extension TableQuery where RowDecoder: TableRecord {
  /// Returns a statement that deletes the rows when it runs, and returns columns of them.
  ///
  ///     let statement = try Player.all().deleteAndFetchStatement(db) { [$0.id, $0.name] }
  ///     let rows = try Row.fetchAll(statement)
  ///     // DELETE FROM "player" RETURNING "id", "name"
  public func deleteAndFetchStatement(
    _ db: Database,
    select selection: (RowDecoder.DatabaseComponents) throws -> [any SQLSelectable]
  ) throws -> Statement {
    try deleteAndFetchStatement(db, selection: selection(RowDecoder.databaseComponents))
  }

  /// Returns a statement that updates the rows when it runs, and returns columns of them.
  ///
  ///     let statement = try Player.all()
  ///       .updateAndFetchStatement(db) { [$0.score += 1] } select: { [$0.id, $0.score] }
  ///     // UPDATE "player" SET "score" = "score" + 1 RETURNING "id", "score"
  public func updateAndFetchStatement(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    assignments: (RowDecoder.DatabaseComponents) throws -> [ColumnAssignment],
    select selection: (RowDecoder.DatabaseComponents) throws -> [any SQLSelectable]
  ) throws -> Statement {
    try updateAndFetchStatement(
      db,
      onConflict: conflictResolution,
      assignments(RowDecoder.databaseComponents),
      selection: selection(RowDecoder.databaseComponents)
    )
  }
}
