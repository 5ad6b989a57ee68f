// Statements with `RETURNING`, which return the values that the database adds to the record.

extension MutablePersistableRecord {
  /// Inserts a row, and returns the value that a closure fetches from the inserted row.
  ///
  ///     let score = try player.insertAndFetch(db, selection: [Column("score")]) { statement in
  ///       try Int.fetchOne(statement)
  ///     }
  ///     // INSERT INTO "player" ("name") VALUES ('Arthur') RETURNING "score"
  ///
  /// The values include defaults, but not the changes of `AFTER` triggers. The statement has no row
  /// when the database ignored the insertion because of a conflict.
  ///
  /// - Parameters:
  ///   - db: A writable connection.
  ///   - conflictResolution: The resolution of conflicts; by default that of the record type.
  ///   - selection: The columns to fetch.
  ///   - fetch: Runs the statement once, and fetches from it.
  /// - Returns: The result of the closure.
  /// - Throws: The errors of `insert`, and those of the closure.
  public mutating func insertAndFetch<Result>(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    selection: [any SQLSelectable],
    fetch: (Statement) throws -> Result
  ) throws -> Result {
    var fetched: Result?
    try insertCallingBack(db) { record in
      let assignments = try PersistenceContainer(record).assignments
      let insert = Self.insertion(assignments, conflictResolution, returning: selection)
      fetched = try fetch(insert.prepare(db))
      return Self.insertionSuccess(db)
    }
    return fetched!
  }

  /// Inserts a row, and returns the value that a closure fetches from the inserted row.
  ///
  ///     let score = try player.insertAndFetch(db) { statement in
  ///       try Int.fetchOne(statement)
  ///     } select: {
  ///       [$0.score]
  ///     }
  ///     // INSERT INTO "player" ("name") VALUES ('Arthur') RETURNING "score"
  ///
  /// The row is as the statement has stored it, before the `AFTER` triggers of the table run.
  ///
  /// - Throws: The errors of `insert`, and those of the closures.
  public mutating func insertAndFetch<Result>(
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

  /// Inserts a row, and fetches it with its default values, but without the changes of `AFTER`
  /// triggers.
  ///
  ///     var partialPlayer = PartialPlayer(name: "Arthur")
  ///     let player = try partialPlayer.insertAndFetch(db, as: Player.self)
  ///     // INSERT INTO "player" ("name") VALUES ('Arthur') RETURNING *
  ///
  /// - Throws: ``RecordError`` when the database ignored the row because of a conflict, and the
  ///   errors of `insert`.
  public mutating func insertAndFetch<Fetched: FetchableRecord & TableRecord>(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    as type: Fetched.Type
  ) throws -> Fetched {
    let record = self
    return try insertAndFetch(
      db,
      onConflict: conflictResolution,
      selection: Fetched.databaseSelection
    ) { try record.fetchedRow($0, db) }
  }

  /// Runs a statement that returns the row of the record, and returns it.
  ///
  /// - Throws: ``RecordError`` if the statement returns no row: the database ignored it because of
  ///   a conflict or a trigger, or there is no such row.
  func fetchedRow<Fetched: FetchableRecord>(
    _ statement: Statement,
    _ db: Database
  ) throws -> Fetched {
    guard let fetched = try Fetched.fetchAll(statement).first else { throw recordNotFound(db) }
    return fetched
  }
}

extension MutablePersistableRecord where Self: FetchableRecord {
  /// Inserts a row, and fetches it. The record itself does not change.
  ///
  ///     let player = try Player(id: 1, name: "Arthur").insertAndFetch(db)
  ///     // INSERT INTO "player" ("id", "name") VALUES (1, 'Arthur') RETURNING *
  ///
  /// The row is as the statement has stored it, before the `AFTER` triggers of the table run.
  ///
  /// - Throws: ``RecordError`` when the database ignored the row because of a conflict, and the
  ///   errors of `insert`.
  public func insertAndFetch(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws -> Self {
    var record = self
    return try record.insertAndFetch(db, onConflict: conflictResolution, as: Self.self)
  }
}
