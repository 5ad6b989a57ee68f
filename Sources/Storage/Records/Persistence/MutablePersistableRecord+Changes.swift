extension EncodableRecord {
  /// The columns whose values differ from those of another record, with the values of that other one.
  ///
  ///     let old = mug.databaseChanges(from: cup)  // ["name": 'cup']
  ///
  /// - Throws: What encoding throws.
  public func databaseChanges(from record: Self) throws -> [String: DatabaseValue] {
    try PersistenceContainer(self).changes(from: PersistenceContainer(record))
  }

  /// Whether the record stores the same as another one.
  ///
  /// - Throws: What encoding throws.
  public func databaseEquals(_ record: Self) throws -> Bool {
    try databaseChanges(from: record).isEmpty
  }
}

extension MutablePersistableRecord {
  /// Updates the columns that differ from those of another record: nothing when none does.
  ///
  ///     try mug.updateChanges(db, from: cup)
  ///     // UPDATE "item" SET "name" = 'mug' WHERE "id" = 1
  ///
  /// - Returns: Whether there was a difference.
  /// - Throws: What ``update(_:onConflict:)`` throws.
  @discardableResult
  public func updateChanges(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    from record: Self
  ) throws -> Bool {
    try update(db, onConflict: conflictResolution, changes: databaseChanges(from: record))
  }

  /// Changes the record, and updates the columns that differ then: nothing when none does.
  ///
  ///     try item.updateChanges(db) { $0.name = "mug" }
  ///     // UPDATE "item" SET "name" = 'mug' WHERE "id" = 1
  ///
  /// - Returns: Whether there was a difference.
  /// - Throws: What ``update(_:onConflict:)`` throws.
  @discardableResult
  public mutating func updateChanges(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    modify: (inout Self) throws -> Void
  ) throws -> Bool {
    // Not a copy of the record, which would change as well when it is an object.
    let old = try PersistenceContainer(self)
    try modify(&self)
    return try update(
      db,
      onConflict: conflictResolution,
      changes: PersistenceContainer(self).changes(from: old)
    )
  }

  /// Updates the columns that have changed, and returns whether there are any.
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

extension PersistenceContainer {
  /// The columns whose values differ from those of another container, with the values of that other one.
  fileprivate func changes(from old: PersistenceContainer) -> [String: DatabaseValue] {
    let oldValues = Dictionary(zip(old.columns, old.values)) { $1 }
    var changes: [String: DatabaseValue] = [:]
    for (column, value) in zip(columns, values) {
      let oldValue = oldValues[column] ?? .null
      if value != oldValue { changes[column] = oldValue }
    }
    return changes
  }
}
