// MARK: - INSERT

extension TableRecord {
  /// Inserts a row.
  ///
  ///     try Player.insert(db) { [$0.name.set(to: "Arthur"), $0.score.set(to: 10)] }
  ///     // INSERT INTO "player" ("name", "score") VALUES ('Arthur', 10)
  ///
  /// - Returns: The row id, as ``Database/lastInsertedRowID`` reports it.
  /// - Throws: ``DatabaseError`` with an extended code of `SQLITE_CONSTRAINT` when a constraint is
  ///   violated.
  @discardableResult
  public static func insert(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    assignments: (DatabaseComponents) throws -> [ColumnAssignment]
  ) throws -> Int64 {
    try Table<Self>(databaseTableName)
      .insert(db, onConflict: conflictResolution, assignments(databaseComponents))
  }

  /// Inserts the rows of a query.
  ///
  ///     try Player.insert(db, columns: [Column("name")], from: Team.select(\.name))
  ///     // INSERT INTO "player" ("name") SELECT "name" FROM "team"
  ///
  /// - Returns: The number of rows inserted.
  /// - Throws: ``DatabaseError`` with an extended code of `SQLITE_CONSTRAINT` when a constraint is
  ///   violated.
  @discardableResult
  public static func insert(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    columns: [any NamedColumn] = [],
    from query: some SQLSubqueryable
  ) throws -> Int {
    try Table<Self>(databaseTableName)
      .insert(db, onConflict: conflictResolution, columns: columns, from: query)
  }
}

// MARK: - UPDATE

extension TableRecord {
  /// Updates all rows.
  ///
  ///     try Player.updateAll(db) { [$0.score += 100, $0.bonus.set(to: 0)] }
  ///     // UPDATE "player" SET "score" = "score" + 100, "bonus" = 0
  @discardableResult
  public static func updateAll(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    assignments: (DatabaseComponents) throws -> [ColumnAssignment]
  ) throws -> Int {
    try all().updateAll(db, onConflict: conflictResolution, assignments: assignments)
  }

  // A closure of several statements returns nothing. It is then treated as a closure that should
  // return an array, and the error says so.

  /// Updates all rows.
  ///
  ///     try Player.updateAll(db) { $0.score += 100 }
  ///     // UPDATE "player" SET "score" = "score" + 100
  @_disfavoredOverload
  @discardableResult
  public static func updateAll(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    assignment: (DatabaseComponents) throws -> ColumnAssignment
  ) throws -> Int {
    try all().updateAll(db, onConflict: conflictResolution, assignment: assignment)
  }

  /// Updates all rows.
  ///
  ///     try Player.updateAll(db, [Column("score") += 100])
  ///     // UPDATE "player" SET "score" = "score" + 100
  @discardableResult
  public static func updateAll(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    _ assignments: [ColumnAssignment]
  ) throws -> Int {
    try all().updateAll(db, onConflict: conflictResolution, assignments)
  }

  /// Updates all rows.
  ///
  ///     try Player.updateAll(db, Column("score") += 100)
  ///     // UPDATE "player" SET "score" = "score" + 100
  @discardableResult
  public static func updateAll(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    _ assignments: ColumnAssignment...
  ) throws -> Int {
    try all().updateAll(db, onConflict: conflictResolution, assignments)
  }
}

// MARK: - DELETE

extension TableRecord {
  /// Deletes all rows.
  ///
  ///     try Player.deleteAll(db)
  ///     // DELETE FROM "player"
  ///
  /// - Returns: The number of rows deleted.
  /// - Throws: ``DatabaseError`` with `SQLITE_CONSTRAINT_FOREIGNKEY` when a child row blocks the
  ///   delete.
  @discardableResult
  public static func deleteAll(_ db: Database) throws -> Int { try all().deleteAll(db) }

  /// Deletes the row with the given primary key.
  ///
  ///     try Player.deleteOne(db, key: 1)
  ///     // DELETE FROM "player" WHERE "id" = 1
  ///
  /// - Returns: Whether a row was deleted.
  /// - Throws: ``DatabaseError``, with `SQLITE_MISUSE` when the primary key has several columns.
  @discardableResult
  public static func deleteOne(
    _ db: Database,
    key: any DatabaseValueConvertible
  ) throws -> Bool {
    try filter(key: key).deleteAll(db) > 0
  }

  /// Deletes the row with the given values in the columns of a primary key or a unique index.
  ///
  ///     try Player.deleteOne(db, key: ["email": "arthur@example.com"])
  ///     // DELETE FROM "player" WHERE "email" = 'arthur@example.com'
  ///
  /// - Returns: Whether a row was deleted.
  /// - Throws: ``DatabaseError``, with `SQLITE_MISUSE` when there is no such key or index.
  @discardableResult
  public static func deleteOne(
    _ db: Database,
    key: [String: (any DatabaseValueConvertible)?]
  ) throws -> Bool {
    try filter(key: key).deleteAll(db) > 0
  }

  /// Deletes the rows with the given primary keys.
  ///
  ///     try Player.deleteAll(db, keys: [1, 2, 3])
  ///     // DELETE FROM "player" WHERE "id" IN (1, 2, 3)
  ///
  /// - Returns: The number of rows deleted.
  /// - Throws: ``DatabaseError``, with `SQLITE_MISUSE` when the primary key has several columns.
  @discardableResult
  public static func deleteAll<Key: DatabaseValueConvertible>(
    _ db: Database,
    keys: any Sequence<Key>
  ) throws -> Int {
    try filter(keys: keys).deleteAll(db)
  }

  /// Deletes the rows with the given values in the columns of a primary key or a unique index.
  ///
  ///     try Player.deleteAll(db, keys: [["email": "arthur@example.com"]])
  ///     // DELETE FROM "player" WHERE "email" = 'arthur@example.com'
  ///
  /// - Returns: The number of rows deleted.
  /// - Throws: ``DatabaseError``, with `SQLITE_MISUSE` when there is no such key or index.
  @discardableResult
  public static func deleteAll(
    _ db: Database,
    keys: [[String: (any DatabaseValueConvertible)?]]
  ) throws -> Int {
    try filter(keys: keys).deleteAll(db)
  }
}

extension TableRecord where Self: Identifiable, ID: DatabaseValueConvertible {
  /// Deletes the row with the given primary key.
  ///
  ///     try Player.deleteOne(db, id: 1)
  ///     // DELETE FROM "player" WHERE "id" = 1
  @discardableResult
  public static func deleteOne(_ db: Database, id: ID) throws -> Bool {
    try deleteOne(db, key: id)
  }

  /// Deletes the rows with the given primary keys.
  ///
  ///     try Player.deleteAll(db, ids: [1, 2, 3])
  ///     // DELETE FROM "player" WHERE "id" IN (1, 2, 3)
  @discardableResult
  public static func deleteAll(_ db: Database, ids: any Sequence<ID>) throws -> Int {
    try deleteAll(db, keys: ids)
  }
}

extension TableRecord where Self: Identifiable {
  /// Deletes the rows with the given primary keys, of records with an optional one:
  /// `var id: Int64?`.
  ///
  ///     try Player.deleteAll(db, ids: [1, 2, 3])
  ///     // DELETE FROM "player" WHERE "id" IN (1, 2, 3)
  @discardableResult
  public static func deleteAll<Key: DatabaseValueConvertible>(
    _ db: Database,
    ids: any Sequence<Key>
  ) throws -> Int where ID == Key? {
    try deleteAll(db, keys: ids)
  }
}
