extension MutablePersistableRecord {
  /// Updates the row with this record's primary key: all columns that the record encodes.
  ///
  ///     try item.update(db)
  ///     // UPDATE "item" SET "name" = 'mug' WHERE "id" = 1
  ///
  /// - Throws: ``RecordError`` when there is no such row, ``DatabaseError`` with `SQLITE_MISUSE` when
  ///   the table has no primary key or the record does not encode it, and what encoding throws.
  public func update(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws {
    try update(db, conflictResolution, columns: nil)
  }

  /// Updates some columns of the row with this record's primary key.
  ///
  ///     try item.update(db, columns: ["name"])
  ///     // UPDATE "item" SET "name" = 'mug' WHERE "id" = 1
  ///
  /// - Throws: What ``update(_:onConflict:)`` throws.
  public func update(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    columns: some Collection<String>
  ) throws {
    try update(db, conflictResolution, columns: Set(columns))
  }

  /// Updates some columns of the row with this record's primary key.
  ///
  ///     try item.update(db, columns: [Item.Columns.name])
  ///     // UPDATE "item" SET "name" = 'mug' WHERE "id" = 1
  ///
  /// - Throws: What ``update(_:onConflict:)`` throws.
  public func update(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    columns: some Collection<any ColumnExpression>
  ) throws {
    try update(db, conflictResolution, columns: Set(columns.map(\.name)))
  }

  /// Updates the row with this record's primary key: all columns that the record encodes, and others.
  ///
  ///     try item.update(db, and: [Column("updatedAt").set(to: Date())])
  ///     // UPDATE "item" SET "name" = 'mug', "updatedAt" = '2026-05-01 12:00:00.000' WHERE "id" = 1
  ///
  /// `userInfo` is what the `encode(to:)` of an `Encodable` record sees, with those of
  /// ``EncodableRecord/databaseEncodingUserInfo`` that it does not replace.
  ///
  /// - Throws: What ``update(_:onConflict:)`` throws.
  public func update(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    and assignments: [ColumnAssignment],
    userInfo: [CodingUserInfoKey: Any] = [:]
  ) throws {
    try update(db, conflictResolution, columns: nil, and: assignments, userInfo: userInfo)
  }

  private func update(
    _ db: Database,
    _ conflictResolution: Database.ConflictResolution?,
    columns: Set<String>?,
    and assignments: [ColumnAssignment] = [],
    userInfo: [CodingUserInfoKey: Any] = [:]
  ) throws {
    try updateCallingBack(db, columns: columns, userInfo: userInfo) { record in
      let statement = try Self.prepareUpdate(
        record,
        conflictResolution,
        columns,
        and: assignments,
        db
      )
      try statement.execute()
      guard db.changesCount > 0 else { throw try record.notFound(by: statement) }
    }
  }

  /// The statement that updates the row of a record.
  static func prepareUpdate(
    _ record: EncodedRecord,
    _ conflictResolution: Database.ConflictResolution?,
    _ columns: Set<String>?,
    and others: [ColumnAssignment] = [],
    returning selection: [any SQLSelectable] = [],
    _ db: Database
  ) throws -> Statement {
    let assignments =
      record.assignments(of: columns).leaving(out: others.map(\.column)) + others
    let update = Update(
      conflict: conflictResolution ?? persistenceConflictPolicy.conflictResolutionForUpdate,
      assignments: assignments.isEmpty ? record.keyAssignments : assignments,
      rows: try record.rows(returning: selection)
    )
    return try db.cachedStatement { try update.write(to: &$0) }
  }

  /// Runs an update with all callbacks.
  func updateCallingBack(
    _ db: Database,
    columns: Set<String>?,
    userInfo: [CodingUserInfoKey: Any] = [:],
    _ update: (EncodedRecord) throws -> Void
  ) throws {
    try willSave(db)
    let record = try EncodedRecord(self, userInfo: userInfo, db)
    let columns = columns ?? Set(record.columns)
    try willUpdate(db, columns: columns)
    var success: PersistenceSuccess?
    try aroundSave(db) {
      try aroundUpdate(db, columns: columns) {
        // The callback may have changed what the record encodes, when it is an object.
        try update(EncodedRecord(self, userInfo: userInfo, db))
        let updated = PersistenceSuccess(insertion: nil)
        success = updated
        return updated
      }
      return PersistenceSuccess(insertion: nil)
    }
    guard let success else {
      preconditionFailure("aroundSave and aroundUpdate must call the closure that they are given.")
    }
    didUpdate(success)
    didSave(success)
  }
}

// MARK: - Changes

extension EncodableRecord {
  /// The columns whose values differ from those of another record, with the values of that other one.
  ///
  ///     let old = mug.databaseChanges(from: cup)  // ["name": 'cup']
  ///
  /// - Throws: What encoding throws.
  public func databaseChanges(from record: Self) throws -> [String: DatabaseValue] {
    let new = try PersistenceContainer(self)
    let old = try PersistenceContainer(record)
    let oldValues = Dictionary(zip(old.columns, old.values)) { $1 }
    var changes: [String: DatabaseValue] = [:]
    for (column, value) in zip(new.columns, new.values) {
      let oldValue = oldValues[column] ?? .null
      if value != oldValue { changes[column] = oldValue }
    }
    return changes
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
    let columns = try databaseChanges(from: record).keys
    guard !columns.isEmpty else { return false }
    try update(db, conflictResolution, columns: Set(columns))
    return true
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
    let old = try PersistenceContainer(self)
    try modify(&self)
    let new = try PersistenceContainer(self)
    let oldValues = Dictionary(zip(old.columns, old.values)) { $1 }
    let changed = zip(new.columns, new.values).filter { oldValues[$0] ?? .null != $1 }.map(\.0)
    guard !changed.isEmpty else { return false }
    try update(db, conflictResolution, columns: Set(changed))
    return true
  }
}
