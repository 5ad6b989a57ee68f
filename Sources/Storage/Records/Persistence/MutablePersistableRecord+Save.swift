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

extension MutablePersistableRecord {
  /// Updates the row with this record's primary key, or inserts it, and returns the value that a
  /// closure fetches from the row.
  ///
  ///     let score = try player.saveAndFetch(db, selection: [Column("score")]) { statement in
  ///       try Int.fetchOne(statement)
  ///     }
  ///     // UPDATE "player" SET "name" = 'Arthur' WHERE "id" = 1 RETURNING "score"
  ///
  /// The row is as the statement has stored it, before the `AFTER` triggers of the table run.
  ///
  /// - Throws: The errors of `insert` and `update`, except the error of a missing row, and the
  ///   errors of the closure.
  public mutating func saveAndFetch<Result>(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    selection: [any SQLSelectable],
    fetch: (Statement) throws -> Result
  ) throws -> Result {
    try hasRow(db)
      ? updateAndFetch(db, onConflict: conflictResolution, selection: selection, fetch: fetch)
      : insertAndFetch(db, onConflict: conflictResolution, selection: selection, fetch: fetch)
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
  public mutating func saveAndFetch<Result>(
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
  ///     let player = try partialPlayer.saveAndFetch(db, as: Player.self)
  ///     // UPDATE "player" SET "name" = 'Arthur' WHERE "id" = 1 RETURNING *
  ///
  /// The row is as the statement has stored it, before the `AFTER` triggers of the table run.
  ///
  /// - Throws: ``RecordError`` when the database ignored the row because of a conflict, and the
  ///   errors of `insert` and `update`.
  public mutating func saveAndFetch<Fetched: FetchableRecord & TableRecord>(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    as type: Fetched.Type
  ) throws -> Fetched {
    try hasRow(db)
      ? updateAndFetch(db, onConflict: conflictResolution, as: type)
      : insertAndFetch(db, onConflict: conflictResolution, as: type)
  }
}

extension MutablePersistableRecord where Self: FetchableRecord {
  /// Updates the row with this record's primary key, or inserts it, and fetches it. The record
  /// itself does not change.
  ///
  ///     let player = try player.saveAndFetch(db)
  ///     // UPDATE "player" SET "name" = 'Arthur' WHERE "id" = 1 RETURNING *
  ///
  /// The row is as the statement has stored it, before the `AFTER` triggers of the table run.
  ///
  /// - Throws: ``RecordError`` when the database ignored the row because of a conflict, and the
  ///   errors of `insert` and `update`.
  public func saveAndFetch(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws -> Self {
    var record = self
    return try record.saveAndFetch(db, onConflict: conflictResolution, as: Self.self)
  }
}
