// The methods that change a ``MutablePersistableRecord``, for records that storing does not change.
// They call the methods of `any MutablePersistableRecord`: on the type itself, they would call
// themselves.

extension PersistableRecord {
  /// Inserts a row, and returns the value that a closure fetches from the row.
  ///
  ///     let score = try player.insertAndFetch(db, selection: [Column("score")]) { statement in
  ///       try Int.fetchOne(statement)
  ///     }
  ///     // INSERT INTO "player" ("name") VALUES ('Arthur') RETURNING "score"
  ///
  /// The row is as the statement has stored it, before the `AFTER` triggers of the table run.
  public func insertAndFetch<Result>(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    selection: [any SQLSelectable],
    fetch: (Statement) throws -> Result
  ) throws -> Result {
    var record: any MutablePersistableRecord = self
    return try record.insertAndFetch(
      db,
      onConflict: conflictResolution,
      selection: selection,
      fetch: fetch
    )
  }

  /// Inserts a row, and returns the value that a closure fetches from the row.
  ///
  ///     let score = try player.insertAndFetch(db) { statement in
  ///       try Int.fetchOne(statement)
  ///     } select: {
  ///       [$0.score]
  ///     }
  ///     // INSERT INTO "player" ("name") VALUES ('Arthur') RETURNING "score"
  ///
  /// The row is as the statement has stored it, before the `AFTER` triggers of the table run.
  public func insertAndFetch<Result>(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    fetch: (Statement) throws -> Result,
    select: (DatabaseComponents) throws -> [any SQLSelectable]
  ) throws -> Result {
    try insertAndFetch(
      db,
      onConflict: conflictResolution,
      selection: select(Self.databaseComponents),
      fetch: fetch
    )
  }

  /// Inserts a row, and fetches it.
  ///
  ///     let player = try PartialPlayer(name: "Arthur").insertAndFetch(db, as: Player.self)
  ///     // INSERT INTO "player" ("name") VALUES ('Arthur') RETURNING *
  ///
  /// The row is as the statement has stored it, before the `AFTER` triggers of the table run.
  ///
  /// - Throws: ``RecordError`` when the database ignored the row because of a conflict, and the
  ///   errors of `insert`.
  public func insertAndFetch<Fetched: FetchableRecord & TableRecord>(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    as type: Fetched.Type
  ) throws -> Fetched {
    var record: any MutablePersistableRecord = self
    return try record.insertAndFetch(db, onConflict: conflictResolution, as: type)
  }

  /// Updates the row with this record's primary key, or inserts it, and returns the value that a
  /// closure fetches from the row.
  ///
  ///     let score = try player.saveAndFetch(db, selection: [Column("score")]) { statement in
  ///       try Int.fetchOne(statement)
  ///     }
  ///     // UPDATE "player" SET "name" = 'Arthur' WHERE "id" = 1 RETURNING "score"
  ///
  /// The row is as the statement has stored it, before the `AFTER` triggers of the table run.
  public func saveAndFetch<Result>(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    selection: [any SQLSelectable],
    fetch: (Statement) throws -> Result
  ) throws -> Result {
    var record: any MutablePersistableRecord = self
    return try record.saveAndFetch(
      db,
      onConflict: conflictResolution,
      selection: selection,
      fetch: fetch
    )
  }

  /// Updates the row with this record's primary key, or inserts it, and returns the value that a
  /// closure fetches from the row.
  ///
  ///     let score = try player.saveAndFetch(db) { statement in
  ///       try Int.fetchOne(statement)
  ///     } select: {
  ///       [$0.score]
  ///     }
  ///     // UPDATE "player" SET "name" = 'Arthur' WHERE "id" = 1 RETURNING "score"
  ///
  /// The row is as the statement has stored it, before the `AFTER` triggers of the table run.
  public func saveAndFetch<Result>(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    fetch: (Statement) throws -> Result,
    select: (DatabaseComponents) throws -> [any SQLSelectable]
  ) throws -> Result {
    try saveAndFetch(
      db,
      onConflict: conflictResolution,
      selection: select(Self.databaseComponents),
      fetch: fetch
    )
  }

  /// Updates the row with this record's primary key, or inserts it, and fetches it.
  ///
  ///     let player = try PartialPlayer(name: "Arthur").saveAndFetch(db, as: Player.self)
  ///     // UPDATE "player" SET "name" = 'Arthur' WHERE "id" = 1 RETURNING *
  ///
  /// The row is as the statement has stored it, before the `AFTER` triggers of the table run.
  ///
  /// - Throws: ``RecordError`` when the database ignored the row because of a conflict, and the
  ///   errors of `save`.
  public func saveAndFetch<Fetched: FetchableRecord & TableRecord>(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    as type: Fetched.Type
  ) throws -> Fetched {
    var record: any MutablePersistableRecord = self
    return try record.saveAndFetch(db, onConflict: conflictResolution, as: type)
  }

  /// Inserts a row, or updates the conflicting row, and returns the value that a closure fetches
  /// from it.
  ///
  ///     let id = try player.upsertAndFetch(db, selection: [Column("id")]) { statement in
  ///       try Int64.fetchOne(statement)
  ///     }
  ///     // INSERT INTO "player" … ON CONFLICT DO UPDATE SET … RETURNING "id", "rowid"
  ///
  /// The closure runs the statement once.
  ///
  /// The row is as the statement has stored it, before the `AFTER` triggers of the table run.
  public func upsertAndFetch<Result>(
    _ db: Database,
    onConflict target: [String] = [],
    updating strategy: UpsertUpdateStrategy = .allColumns,
    doUpdate assignments: ((TableAlias<Self>) -> [ColumnAssignment])? = nil,
    selection: [any SQLSelectable],
    fetch: (Statement) throws -> Result
  ) throws -> Result {
    var record = self
    return try record.runUpsert(db, target, strategy, assignments, selection, fetch)
  }

  /// Inserts a row, or updates the conflicting row, and fetches it.
  ///
  ///     let player = try partialPlayer.upsertAndFetch(db, as: Player.self, onConflict: ["email"])
  ///     // INSERT INTO "player" ("name", "email") VALUES ('A', 'a@example.com')
  ///     // ON CONFLICT("email") DO UPDATE SET "name" = "excluded"."name" RETURNING *, "rowid"
  ///
  /// The row is as the statement has stored it, before the `AFTER` triggers of the table run.
  ///
  /// - Throws: ``DatabaseError`` with an extension of `SQLITE_CONSTRAINT` when another constraint
  ///   forbids the row, ``RecordError`` when a trigger made the database ignore the row, and the
  ///   errors of encoding and callbacks.
  public func upsertAndFetch<Fetched: FetchableRecord & TableRecord>(
    _ db: Database,
    as type: Fetched.Type,
    onConflict target: [String] = [],
    updating strategy: UpsertUpdateStrategy = .allColumns,
    doUpdate assignments: ((TableAlias<Self>) -> [ColumnAssignment])? = nil
  ) throws -> Fetched {
    try upsertAndFetch(
      db,
      onConflict: target,
      updating: strategy,
      doUpdate: assignments,
      selection: Fetched.databaseSelection
    ) { try fetchedRow($0, db) }
  }
}
