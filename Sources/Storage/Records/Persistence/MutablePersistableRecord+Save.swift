extension MutablePersistableRecord {
  /// Updates the row with this record's primary key, or inserts it if it does not exist.
  ///
  ///     try item.save(db)
  ///     // UPDATE "item" SET "name" = 'cup' WHERE "id" = 1
  ///     // INSERT INTO "item" ("id", "name") VALUES (1, 'cup')
  ///
  /// A record whose primary key is NULL is inserted. See ``upsert(_:)`` for a single statement that
  /// does both.
  ///
  /// - Throws: The errors of `insert` and `update`, except that of a missing row.
  public mutating func save(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws {
    if try hasRow(db) {
      try update(db, onConflict: conflictResolution)
    } else {
      try insert(db, onConflict: conflictResolution)
    }
  }

  /// Saves the record, and returns it as completed by the database.
  ///
  ///     let place = try Place(id: nil, title: "Rome").saved(db)
  ///     // INSERT INTO "place" ("id", "title") VALUES (NULL, 'Rome')
  public func saved(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws -> Self {
    var record = self
    try record.save(db, onConflict: conflictResolution)
    return record
  }

  /// Returns whether there is a row with this record's primary key.
  ///
  ///     try item.exists(db)
  ///     // SELECT EXISTS (SELECT * FROM "item" WHERE "id" = 1)
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_MISUSE` when the record does not encode the primary
  ///   key.
  public func exists(_ db: Database) throws -> Bool {
    try Self.hasRow(of: EncodedRecord(self, db), db)
  }

  /// Returns whether the record has a primary key and the table contains its row.
  func hasRow(_ db: Database) throws -> Bool {
    let record = try EncodedRecord(self, db)
    return try record.hasKey && Self.hasRow(of: record, db)
  }

  private static func hasRow(of record: EncodedRecord, _ db: Database) throws -> Bool {
    try !QueryInterfaceRequest<Self>(record.rows().request).isEmpty(db)
  }
}

extension PersistableRecord {
  /// Updates the row with this record's primary key, or inserts it if it does not exist.
  ///
  ///     try item.save(db)
  ///     // UPDATE "item" SET "name" = 'cup' WHERE "id" = 1
  ///     // INSERT INTO "item" ("id", "name") VALUES (1, 'cup')
  ///
  /// - Throws: The errors of `insert` and `update`, except that of a missing row.
  public func save(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws {
    if try hasRow(db) {
      try update(db, onConflict: conflictResolution)
    } else {
      try insert(db, onConflict: conflictResolution)
    }
  }
}
