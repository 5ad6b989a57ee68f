// Statements with `RETURNING`, which return the values that the database adds to the record.

extension MutablePersistableRecord {
  /// Inserts a row, and fetches it with its default values, but without the changes of `AFTER`
  /// triggers.
  ///
  ///     let player = try PartialPlayer(name: "Arthur").insertAndFetch(db, as: Player.self)
  ///     // INSERT INTO "player" ("name") VALUES ('Arthur') RETURNING *
  ///
  /// - Returns: The row, or `nil` when the database ignored it because of a conflict.
  /// - Throws: The errors of `insert`.
  public mutating func insertAndFetch<Fetched: FetchableRecord & TableRecord>(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    as type: Fetched.Type
  ) throws -> Fetched? {
    var fetched: Fetched?
    try insertCallingBack(db) { record in
      let insert = Self.insertion(
        try PersistenceContainer(record).assignments,
        conflictResolution,
        returning: Fetched.databaseSelection
      )
      let statement = try db.cachedStatement { try insert.write(to: &$0) }
      fetched = try Fetched.fetchAll(statement).first
      return Self.insertionSuccess(db)
    }
    return fetched
  }

  /// Updates the row with this record's primary key, and fetches it.
  ///
  ///     let player = try player.updateAndFetch(db)
  ///     // UPDATE "player" SET "name" = 'Arthur' WHERE "id" = 1 RETURNING *
  ///
  /// - Returns: The row.
  /// - Throws: The errors of ``update(_:onConflict:)``.
  public func updateAndFetch<Fetched: FetchableRecord & TableRecord>(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    as type: Fetched.Type
  ) throws -> Fetched {
    var fetched: Fetched?
    try updateCallingBack(db, columns: nil) { record in
      let statement = try Self.prepareUpdate(
        record,
        conflictResolution,
        nil,
        returning: Fetched.databaseSelection,
        db
      )
      fetched = try Fetched.fetchAll(statement).first
      if fetched == nil { throw try record.notFound(by: statement) }
    }
    return fetched!
  }

  /// Updates the row with this record's primary key, or inserts it, and fetches it.
  ///
  ///     let player = try player.saveAndFetch(db)
  ///     // UPDATE "player" SET "name" = 'Arthur' WHERE "id" = 1 RETURNING *
  ///
  /// - Returns: The row, or `nil` when the database ignored it because of a conflict.
  /// - Throws: The errors of `insert` and `update`, except that of a missing row.
  public mutating func saveAndFetch<Fetched: FetchableRecord & TableRecord>(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    as type: Fetched.Type
  ) throws -> Fetched? {
    try hasRow(db)
      ? updateAndFetch(db, onConflict: conflictResolution, as: type)
      : insertAndFetch(db, onConflict: conflictResolution, as: type)
  }
}

extension PersistableRecord {
  /// Inserts a row, and fetches it.
  ///
  ///     let player = try PartialPlayer(name: "Arthur").insertAndFetch(db, as: Player.self)
  ///     // INSERT INTO "player" ("name") VALUES ('Arthur') RETURNING *
  ///
  /// - Returns: The row, or `nil` when the database ignored it because of a conflict.
  /// - Throws: The errors of `insert`.
  public func insertAndFetch<Fetched: FetchableRecord & TableRecord>(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    as type: Fetched.Type
  ) throws -> Fetched? {
    func insert<Record: MutablePersistableRecord>(_ record: Record) throws -> Fetched? {
      var record = record
      return try record.insertAndFetch(db, onConflict: conflictResolution, as: type)
    }
    return try insert(self)
  }
}

// MARK: - Fetching the record's own type

extension MutablePersistableRecord where Self: FetchableRecord {
  /// Inserts a row, and fetches it.
  ///
  ///     let player = try player.insertAndFetch(db)
  ///     // INSERT INTO "player" ("id", "name") VALUES (1, 'Arthur') RETURNING *
  ///
  /// - Returns: The row, or `nil` when the database ignored it because of a conflict.
  /// - Throws: The errors of `insert`.
  public mutating func insertAndFetch(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws -> Self? {
    try insertAndFetch(db, onConflict: conflictResolution, as: Self.self)
  }

  /// Updates the row with this record's primary key, and fetches it.
  ///
  ///     let player = try player.updateAndFetch(db)
  ///     // UPDATE "player" SET "name" = 'Arthur' WHERE "id" = 1 RETURNING *
  public func updateAndFetch(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws -> Self {
    try updateAndFetch(db, onConflict: conflictResolution, as: Self.self)
  }

  /// Updates the row with this record's primary key, or inserts it, and fetches it.
  ///
  ///     let player = try player.saveAndFetch(db)
  ///     // UPDATE "player" SET "name" = 'Arthur' WHERE "id" = 1 RETURNING *
  public mutating func saveAndFetch(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws -> Self? {
    try saveAndFetch(db, onConflict: conflictResolution, as: Self.self)
  }

  /// Inserts a row, or updates the conflicting row, and fetches it.
  ///
  ///     let player = try player.upsertAndFetch(db, onConflict: ["email"]) { excluded in
  ///       [Column("score") += excluded.score]
  ///     }
  ///     // INSERT INTO "player" ("email", "score") VALUES ('a@example.com', 1)
  ///     // ON CONFLICT("email") DO UPDATE SET "score" = "score" + "excluded"."score" RETURNING *
  public mutating func upsertAndFetch(
    _ db: Database,
    onConflict target: [String] = [],
    doUpdate assignments: ((TableAlias<Self>) -> [ColumnAssignment])? = nil
  ) throws -> Self {
    try upsertAndFetch(db, as: Self.self, onConflict: target, doUpdate: assignments)
  }
}
