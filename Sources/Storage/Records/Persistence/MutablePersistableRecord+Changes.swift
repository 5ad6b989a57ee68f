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
