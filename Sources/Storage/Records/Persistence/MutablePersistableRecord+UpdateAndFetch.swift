// Updates with `RETURNING`.

extension MutablePersistableRecord {
  /// Updates the row with this record's primary key, and returns the value that a closure fetches
  /// from the updated row.
  ///
  ///     let score = try player.updateAndFetch(db, selection: [Column("score")]) { statement in
  ///       try Int.fetchOne(statement)
  ///     }
  ///     // UPDATE "player" SET "name" = 'Arthur' WHERE "id" = 1 RETURNING "score"
  ///
  /// The row is as the statement has stored it, before the `AFTER` triggers of the table run.
  ///
  /// - Parameters:
  ///   - db: A writable connection.
  ///   - conflictResolution: The resolution of conflicts; by default that of the record type.
  ///   - columns: The columns to update; by default all columns that the record encodes.
  ///   - selection: The columns to fetch.
  ///   - fetch: Runs the statement once, and fetches from it.
  /// - Returns: The result of the closure.
  /// - Throws: ``RecordError`` when no row was updated, the errors of ``update(_:onConflict:)``,
  ///   and those of the closure.
  public func updateAndFetch<Result>(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    columns: (some Collection<String>)? = [String]?.none,
    selection: [any SQLSelectable],
    fetch: (Statement) throws -> Result
  ) throws -> Result {
    var fetched: Result?
    let columns = columns.map { Set($0) }
    try updateCallingBack(db, columns: columns) { record in
      let statement = try Self.prepareUpdate(
        record,
        conflictResolution,
        columns,
        returning: selection,
        db
      )
      let (result, count) = try db.countingChanges(of: record.table) { try fetch(statement) }
      fetched = result
      guard count > 0 else { throw record.notFound() }
    }
    return fetched!
  }

  /// Updates some columns of the row with this record's primary key, and returns the value that a
  /// closure fetches from the updated row.
  ///
  ///     let score = try player.updateAndFetch(
  ///       db,
  ///       columns: [Player.Columns.name],
  ///       selection: [Player.Columns.score]
  ///     ) { statement in
  ///       try Int.fetchOne(statement)
  ///     }
  ///     // UPDATE "player" SET "name" = 'Arthur' WHERE "id" = 1 RETURNING "score"
  ///
  /// The row is as the statement has stored it, before the `AFTER` triggers of the table run.
  public func updateAndFetch<Result>(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    columns: some Collection<any ColumnExpression>,
    selection: [any SQLSelectable],
    fetch: (Statement) throws -> Result
  ) throws -> Result {
    try updateAndFetch(
      db,
      onConflict: conflictResolution,
      columns: columns.map(\.name),
      selection: selection,
      fetch: fetch
    )
  }

  /// Updates some columns of the row with this record's primary key, and returns the value that a
  /// closure fetches from the updated row.
  ///
  ///     let score = try player.updateAndFetch(
  ///       db,
  ///       columns: [Player.columns.name],
  ///       selection: [Player.columns.score]
  ///     ) { statement in
  ///       try Int.fetchOne(statement)
  ///     }
  ///     // UPDATE "player" SET "name" = 'Arthur' WHERE "id" = 1 RETURNING "score"
  ///
  /// The row is as the statement has stored it, before the `AFTER` triggers of the table run.
  @_disfavoredOverload
  public func updateAndFetch<Result>(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    columns: [any NamedColumn],
    selection: [any SQLSelectable],
    fetch: (Statement) throws -> Result
  ) throws -> Result {
    try updateAndFetch(
      db,
      onConflict: conflictResolution,
      columns: columns.map(\.name),
      selection: selection,
      fetch: fetch
    )
  }

  /// Updates the row with this record's primary key, and returns the value that a closure fetches
  /// from the updated row.
  ///
  ///     let score = try player.updateAndFetch(db) { statement in
  ///       try Int.fetchOne(statement)
  ///     } select: {
  ///       [$0.score]
  ///     }
  ///     // UPDATE "player" SET "name" = 'Arthur' WHERE "id" = 1 RETURNING "score"
  ///
  /// The row is as the statement has stored it, before the `AFTER` triggers of the table run.
  public func updateAndFetch<Result>(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    fetch: (Statement) throws -> Result,
    select: (DatabaseComponents) throws -> [any SQLSelectable]
  ) throws -> Result {
    try updateAndFetch(
      db,
      onConflict: conflictResolution,
      selection: select(Self.databaseComponents),
      fetch: fetch
    )
  }

  /// Updates the row with this record's primary key, and fetches it.
  ///
  ///     let player = try partialPlayer.updateAndFetch(db, as: Player.self)
  ///     // UPDATE "player" SET "name" = 'Arthur' WHERE "id" = 1 RETURNING *
  ///
  /// The row is as the statement has stored it, before the `AFTER` triggers of the table run.
  ///
  /// - Throws: ``RecordError`` when no row was updated, and the errors of
  ///   ``update(_:onConflict:)``.
  public func updateAndFetch<Fetched: FetchableRecord & TableRecord>(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    as type: Fetched.Type
  ) throws -> Fetched {
    try updateAndFetch(db, onConflict: conflictResolution, selection: Fetched.databaseSelection) {
      try fetchedRow($0, db)
    }
  }
}

extension MutablePersistableRecord where Self: FetchableRecord {
  /// Updates the row with this record's primary key, and fetches it.
  ///
  ///     let player = try player.updateAndFetch(db)
  ///     // UPDATE "player" SET "name" = 'Arthur' WHERE "id" = 1 RETURNING *
  ///
  /// The row is as the statement has stored it, before the `AFTER` triggers of the table run.
  public func updateAndFetch(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws -> Self {
    try updateAndFetch(db, onConflict: conflictResolution, as: Self.self)
  }
}
