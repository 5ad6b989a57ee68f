extension MutablePersistableRecord {
  /// Updates the columns whose values differ from another record. Does nothing when no value
  /// differs.
  ///
  ///     try mug.updateChanges(db, from: cup)
  ///     // UPDATE "item" SET "name" = 'mug' WHERE "id" = 1
  ///
  /// - Returns: Whether a value differed.
  /// - Throws: The errors of ``update(_:onConflict:)``.
  @discardableResult
  public func updateChanges(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    from record: Self
  ) throws -> Bool {
    try update(db, onConflict: conflictResolution, changes: databaseChanges(from: record))
  }

  /// Updates the columns whose values differ from a record of another type. Does nothing when no
  /// column does.
  ///
  ///     try player.updateChanges(db, from: PartialPlayer(name: "Arthur"))
  ///     // UPDATE "player" SET "score" = 100, "teamID" = 1 WHERE "id" = 1
  ///
  /// - Returns: Whether a value differed.
  /// - Throws: The errors of ``update(_:onConflict:)``.
  @_disfavoredOverload
  @discardableResult
  public func updateChanges(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    from record: some EncodableRecord
  ) throws -> Bool {
    try update(db, onConflict: conflictResolution, changes: databaseChanges(from: record))
  }

  /// Modifies the record, and updates the columns that have changed. Does nothing when no column
  /// has.
  ///
  ///     try item.updateChanges(db) { $0.name = "mug" }
  ///     // UPDATE "item" SET "name" = 'mug' WHERE "id" = 1
  ///
  /// - Returns: Whether a value differed.
  /// - Throws: The errors of ``update(_:onConflict:)``.
  @discardableResult
  public mutating func updateChanges(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    modify: (inout Self) throws -> Void
  ) throws -> Bool {
    let changes = try databaseChanges(modify: modify)
    return try update(db, onConflict: conflictResolution, changes: changes)
  }

  /// Updates the changed columns, and returns whether there are any.
  private func update(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution?,
    changes: [String: DatabaseValue]
  ) throws -> Bool {
    guard !changes.isEmpty else { return false }
    try update(db, onConflict: conflictResolution, columns: changes.keys)
    return true
  }
}

extension MutablePersistableRecord {
  /// Modifies the record, updates the columns that have changed, and returns the value that a
  /// closure fetches from the updated row.
  ///
  ///     let score = try player.updateChangesAndFetch(db, selection: [Column("score")]) {
  ///       try Int.fetchOne($0)
  ///     } modify: {
  ///       $0.name = "Barbara"
  ///     }
  ///     // UPDATE "player" SET "name" = 'Barbara' WHERE "id" = 1 RETURNING "score"
  ///
  /// The row is as the statement has stored it, before the `AFTER` triggers of the table run.
  ///
  /// - Returns: The result of the closure, or `nil` when no column has changed.
  /// - Throws: The errors of ``update(_:onConflict:)``, and of the closures.
  public mutating func updateChangesAndFetch<Result>(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    selection: [any SQLSelectable],
    fetch: (Statement) throws -> Result,
    modify: (inout Self) throws -> Void
  ) throws -> Result? {
    let changes = try databaseChanges(modify: modify)
    guard !changes.isEmpty else { return nil }
    return try updateAndFetch(
      db,
      onConflict: conflictResolution,
      columns: changes.keys,
      selection: selection,
      fetch: fetch
    )
  }

  /// Modifies the record, updates the columns that have changed, and returns the value that a
  /// closure fetches from the updated row.
  ///
  ///     let score = try player.updateChangesAndFetch(db) {
  ///       try Int.fetchOne($0)
  ///     } select: {
  ///       [$0.score]
  ///     } modify: {
  ///       $0.name = "Barbara"
  ///     }
  ///     // UPDATE "player" SET "name" = 'Barbara' WHERE "id" = 1 RETURNING "score"
  ///
  /// The row is as the statement has stored it, before the `AFTER` triggers of the table run.
  public mutating func updateChangesAndFetch<Result>(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    fetch: (Statement) throws -> Result,
    select: (DatabaseComponents) throws -> [any SQLSelectable],
    modify: (inout Self) throws -> Void
  ) throws -> Result? {
    try updateChangesAndFetch(
      db,
      onConflict: conflictResolution,
      selection: select(Self.databaseComponents),
      fetch: fetch,
      modify: modify
    )
  }

  /// Modifies the record, updates the columns that have changed, and fetches the updated row.
  ///
  ///     let player = try partial.updateChangesAndFetch(db, as: Player.self) { $0.name = "Barbara"
  ///     }
  ///     // UPDATE "player" SET "name" = 'Barbara' WHERE "id" = 1 RETURNING *
  ///
  /// The row is as the statement has stored it, before the `AFTER` triggers of the table run.
  ///
  /// - Returns: The row, or `nil` when no column has changed.
  public mutating func updateChangesAndFetch<Fetched: FetchableRecord & TableRecord>(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    as type: Fetched.Type,
    modify: (inout Self) throws -> Void
  ) throws -> Fetched? {
    try updateChangesAndFetch(
      db,
      onConflict: conflictResolution,
      selection: Fetched.databaseSelection,
      // An update without a row throws, so there is a first one.
      fetch: { try Fetched.fetchAll($0).first },
      modify: modify
    ) ?? nil
  }
}

extension MutablePersistableRecord where Self: FetchableRecord {
  /// Modifies the record, updates the columns that have changed, and fetches the updated row.
  ///
  ///     let stored = try player.updateChangesAndFetch(db) { $0.name = "Barbara" }
  ///     // UPDATE "player" SET "name" = 'Barbara' WHERE "id" = 1 RETURNING *
  ///
  /// The row is as the statement has stored it, before the `AFTER` triggers of the table run.
  ///
  /// - Returns: The row, or `nil` when no column has changed.
  public mutating func updateChangesAndFetch(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    modify: (inout Self) throws -> Void
  ) throws -> Self? {
    try updateChangesAndFetch(db, onConflict: conflictResolution, as: Self.self, modify: modify)
  }
}
