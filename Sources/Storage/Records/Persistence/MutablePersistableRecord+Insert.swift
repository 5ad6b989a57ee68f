extension MutablePersistableRecord {
  /// Inserts a row.
  ///
  ///     try place.insert(db)
  ///     // INSERT INTO "place" ("id", "title") VALUES (NULL, 'Rome')
  ///
  ///     try place.insert(db, onConflict: .ignore)
  ///     // INSERT OR IGNORE INTO "place" ("id", "title") VALUES (NULL, 'Rome')
  ///
  /// `didInsert` is not called when the database ignored the row because of a conflict.
  ///
  /// - Throws: ``DatabaseError`` with an extension of `SQLITE_CONSTRAINT` when a constraint of the
  ///   table forbids the row, and the errors of encoding and callbacks.
  @inlinable
  public mutating func insert(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws {
    try insertCallingBack(db) { record in
      try record.runInsertion(db, onConflict: conflictResolution)
    }
  }

  /// Inserts a row, and returns the record as completed by the database.
  ///
  ///     let place = try Place(id: nil, title: "Rome").inserted(db)
  ///     // INSERT INTO "place" ("id", "title") VALUES (NULL, 'Rome')
  public func inserted(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws -> Self {
    var record = self
    try record.insert(db, onConflict: conflictResolution)
    return record
  }

  /// Inserts a row with the columns of the record and additional assignments.
  ///
  ///     try place.insert(db, and: [Column("createdAt").set(to: Date())])
  ///     // INSERT INTO "place" ("id", "title", "createdAt")
  ///     // VALUES (NULL, 'Rome', '2026-05-01 12:00:00.000')
  ///
  /// `userInfo` is available to `encode(to:)` of an `Encodable` record. Its values override those
  /// of ``EncodableRecord/databaseEncodingUserInfo``.
  public mutating func insert(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    and assignments: [ColumnAssignment],
    userInfo: [CodingUserInfoKey: Any] = [:]
  ) throws {
    try insertCallingBack(db) { record in
      let own = try PersistenceContainer(record, userInfo: userInfo).assignments
      let insert = Self.insertion(own.overridden(by: assignments), conflictResolution)
      try insert.prepare(db).execute()
      return Self.insertionSuccess(db)
    }
  }

  /// Returns the statement that inserts a row of this type.
  static func insertion(
    _ assignments: [ColumnAssignment],
    _ conflict: Database.ConflictResolution?,
    returning selection: [any SQLSelectable] = []
  ) -> Insert {
    Insert(
      table: databaseTableName,
      conflict: conflict ?? persistenceConflictPolicy.conflictResolutionForInsert,
      source: .assignments(assignments),
      returning: ReturningClause(selection: selection.map(\.sqlSelection))
    )
  }

  /// Returns the result of the most recent insertion.
  static func insertionSuccess(_ db: Database) -> InsertionSuccess {
    InsertionSuccess(rowID: db.lastInsertedRowID, of: Self.self, db)
  }

  /// Runs an insertion with all callbacks.
  ///
  /// It is inlinable so that callbacks that a record type does not implement cost nothing.
  @inlinable
  mutating func insertCallingBack(
    _ db: Database,
    _ insertion: (Self) throws -> InsertionSuccess
  ) throws {
    try willSave(db)
    try willInsert(db)
    var success: InsertionSuccess?
    var wasIgnored = false
    try aroundSave(db) {
      try aroundInsert(db) {
        let inserted = try insertion(self)
        success = inserted
        wasIgnored = try db.insertionWasIgnored(Self.databaseTableName)
        return inserted
      }
      return PersistenceSuccess(insertion: success)
    }
    guard let success else { throw Self.missingResult(of: "aroundSave and aroundInsert") }
    if wasIgnored { return }
    didInsert(success)
    didSave(PersistenceSuccess(insertion: success))
  }
}

extension MutablePersistableRecord {
  /// Returns the error of an `around…` callback that has not run the operation, or that has
  /// caught its error.
  @usableFromInline
  static func missingResult(of callbacks: String) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_MISUSE,
      message: "\(callbacks) of \(Self.self) must call the closure received, and rethrow its error"
    )
  }
}

extension PersistableRecord {
  /// Inserts a row.
  ///
  ///     try Item(id: 1, name: "cup").insert(db)
  ///     // INSERT INTO "item" ("id", "name") VALUES (1, 'cup')
  ///
  /// - Throws: ``DatabaseError`` with an extension of `SQLITE_CONSTRAINT` when a constraint of the
  ///   table forbids the row, and the errors of encoding and callbacks.
  @inlinable
  public func insert(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws {
    var record = self
    try record.insertCallingBack(db) { record in
      try record.runInsertion(db, onConflict: conflictResolution)
    }
  }

  /// Inserts a row with the columns of the record and additional assignments.
  ///
  ///     try item.insert(db, and: [Column("createdAt").set(to: Date())])
  ///     // INSERT INTO "item" ("id", "name", "createdAt")
  ///     // VALUES (1, 'cup', '2026-05-01 12:00:00.000')
  ///
  /// `userInfo` is available to `encode(to:)` of an `Encodable` record. Its values override those
  /// of ``EncodableRecord/databaseEncodingUserInfo``.
  public func insert(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    and assignments: [ColumnAssignment],
    userInfo: [CodingUserInfoKey: Any] = [:]
  ) throws {
    var record: any MutablePersistableRecord = self
    try record.insert(
      db,
      onConflict: conflictResolution,
      and: assignments,
      userInfo: userInfo
    )
  }
}
