extension MutablePersistableRecord {
  /// Updates all columns that the record encodes, in the row with its primary key.
  ///
  ///     try item.update(db)
  ///     // UPDATE "item" SET "name" = 'mug' WHERE "id" = 1
  ///
  /// In a view, a row counts as found when the `INSTEAD OF` triggers have changed any row.
  ///
  /// - Throws: ``RecordError`` when there is no such row, ``DatabaseError`` with `SQLITE_MISUSE`
  ///   when the table has no primary key or the record does not encode it, and the errors of
  ///   encoding.
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
  /// - Throws: The errors of ``update(_:onConflict:)``.
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
  /// - Throws: The errors of ``update(_:onConflict:)``.
  public func update(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    columns: some Collection<any ColumnExpression>
  ) throws {
    try update(db, conflictResolution, columns: Set(columns.map(\.name)))
  }

  /// Updates some columns of the row with this record's primary key.
  ///
  ///     try item.update(db, columns: [Item.columns.name])
  ///     // UPDATE "item" SET "name" = 'mug' WHERE "id" = 1
  ///
  /// - Throws: The errors of ``update(_:onConflict:)``.
  @_disfavoredOverload
  public func update(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    columns: [any NamedColumn]
  ) throws {
    try update(db, conflictResolution, columns: Set(columns.map(\.name)))
  }

  /// Updates all columns that the record encodes, in the row with its primary key, and applies
  /// additional assignments.
  ///
  ///     try item.update(db, and: [Column("updatedAt").set(to: Date())])
  ///     // UPDATE "item" SET "name" = 'mug', "updatedAt" = '2026-05-01 12:00:00.000'
  ///     // WHERE "id" = 1
  ///
  /// `userInfo` is available to `encode(to:)` of an `Encodable` record. Its values override those
  /// of ``EncodableRecord/databaseEncodingUserInfo``.
  ///
  /// - Throws: The errors of ``update(_:onConflict:)``.
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
      let (_, count) = try db.countingChanges(of: record.table) { try statement.execute() }
      guard count > 0 else { throw record.notFound() }
    }
  }

  /// Returns the statement that updates the row of a record.
  static func prepareUpdate(
    _ record: EncodedRecord,
    _ conflictResolution: Database.ConflictResolution?,
    _ columns: Set<String>?,
    and additional: [ColumnAssignment] = [],
    returning selection: [any SQLSelectable] = [],
    _ db: Database
  ) throws -> Statement {
    // A column that the record does not encode is ignored.
    if let error = columns?.lazy.compactMap(UnknownColumn.error).first { throw error }
    let assignments = record.assignments(of: columns).overridden(by: additional)
    let update = Update(
      conflict: conflictResolution ?? persistenceConflictPolicy.conflictResolutionForUpdate,
      assignments: assignments.isEmpty ? record.keyAssignments : assignments,
      rows: try record.rows(returning: selection)
    )
    return try update.prepare(db)
  }

  /// Runs an update with all callbacks.
  func updateCallingBack(
    _ db: Database,
    columns: Set<String>?,
    userInfo: [CodingUserInfoKey: Any] = [:],
    _ update: (EncodedRecord) throws -> Void
  ) throws {
    var record = self
    try record.willSave(db)
    let columns = try columns ?? Set(PersistenceContainer(record, userInfo: userInfo).columns)
    try record.willUpdate(db, columns: columns)
    var success: PersistenceSuccess?
    try record.aroundSave(db) {
      try record.aroundUpdate(db, columns: columns) {
        // If the record is an object, the callback may have changed the values that it encodes.
        try update(EncodedRecord(record, userInfo: userInfo, db))
        let updated = PersistenceSuccess(insertion: nil)
        success = updated
        return updated
      }
      return PersistenceSuccess(insertion: nil)
    }
    guard let success else { throw Self.missingResult(of: "aroundSave and aroundUpdate") }
    record.didUpdate(success)
    record.didSave(success)
  }
}

extension MutablePersistableRecord {
  /// Deletes the row with this record's primary key.
  ///
  ///     try item.delete(db)
  ///     // DELETE FROM "item" WHERE "id" = 1
  ///
  /// - Returns: Whether there was such a row. In a view: whether the `INSTEAD OF` triggers have
  ///   changed any row.
  /// - Throws: ``DatabaseError``, with `SQLITE_MISUSE` when the table has no primary key or the
  ///   record does not encode it, and the errors of callbacks.
  @discardableResult
  public func delete(_ db: Database) throws -> Bool {
    var record = self
    try record.willDelete(db)
    var deleted: Bool?
    try record.aroundDelete(db) {
      let encoded = try EncodedRecord(record, db)
      let statement = try Delete(rows: encoded.rows()).prepare(db)
      let (_, count) = try db.countingChanges(of: encoded.table) { try statement.execute() }
      deleted = count > 0
      return count > 0
    }
    guard let deleted else { throw Self.missingResult(of: "aroundDelete") }
    record.didDelete(deleted: deleted)
    return deleted
  }
}
