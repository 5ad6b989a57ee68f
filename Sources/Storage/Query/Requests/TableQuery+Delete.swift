extension TableQuery {
  /// Deletes the rows.
  ///
  ///     try Player.filter { $0.score < 10 }.deleteAll(db)
  ///     // DELETE FROM "player" WHERE "score" < 10
  ///
  /// One statement deletes the rows, so either all are deleted or none. The rows of a join are
  /// selected by their primary keys.
  ///
  /// - Returns: The number of rows deleted, without those deleted by triggers or cascades. For a
  ///   view, where SQLite counts none, the number of rows that the `INSTEAD OF` triggers changed.
  /// - Throws: ``DatabaseError`` with `SQLITE_CONSTRAINT_FOREIGNKEY` when a child row blocks the
  ///   delete, and with `SQLITE_MISUSE` when the rows of the request are not rows of a table:
  ///   groups, aggregates, distinct values without the primary key, or the rows of a common table
  ///   expression.
  @discardableResult
  public func deleteAll(_ db: Database) throws -> Int {
    let deletion = deletion(returning: [])
    return try db.countingChanges(of: deletion.rows.table.tableName) {
      try deletion.prepare(db).execute()
    }.count
  }

  /// Returns the statement that deletes the rows, and selects the default columns or other ones.
  func deletion(returning selection: [SQLSelection]? = nil) -> Delete {
    Delete(rows: RowSelection(request.selectStatement, returning: selection))
  }
}

extension TableQuery where RowDecoder: Fetchable {
  /// Deletes the rows, and fetches the deleted rows, in no particular order.
  ///
  ///     let players = try Player.filter { $0.score < 10 }.deleteAndFetchAll(db)
  ///     // DELETE FROM "player" WHERE "score" < 10 RETURNING *
  ///
  /// A record has all of its columns, also where the request selects only some of them.
  ///
  /// - Throws: The errors of ``deleteAll(_:)``, and ``DatabaseError`` with `SQLITE_MISUSE` when the
  ///   request includes associated rows.
  public func deleteAndFetchAll(_ db: Database) throws -> [RowDecoder] {
    try RowDecoder.fetchAll(deletion(returning: returnedSelection).prepare(db))
  }

  /// Deletes the rows, and fetches them one by one. The rows are deleted at the first step of the
  /// cursor.
  ///
  ///     let players = try Player.filter { $0.score < 10 }.deleteAndFetchCursor(db)
  ///     // DELETE FROM "player" WHERE "score" < 10 RETURNING *
  public func deleteAndFetchCursor(_ db: Database) throws -> DecodingCursor<RowDecoder> {
    try RowDecoder.fetchCursor(deletion(returning: returnedSelection).prepare(db))
  }
}

extension TableQuery where RowDecoder: Fetchable & Hashable {
  /// Deletes the rows, and fetches the distinct deleted rows.
  ///
  ///     let players = try Player.filter { $0.score < 10 }.deleteAndFetchSet(db)
  ///     // DELETE FROM "player" WHERE "score" < 10 RETURNING *
  public func deleteAndFetchSet(_ db: Database) throws -> Set<RowDecoder> {
    try Set(deleteAndFetchAll(db))
  }
}

extension TableQuery
where
  RowDecoder: TableRecord & Identifiable,
  RowDecoder.ID: DatabaseValueConvertible,
  RowDecoder.ID.Unwrapped: Hashable
{
  /// Deletes the rows, and fetches their primary keys.
  ///
  ///     let ids = try Player.filter { $0.score < 10 }.deleteAndFetchIds(db)
  ///     // DELETE FROM "player" WHERE "score" < 10 RETURNING "id"
  public func deleteAndFetchIds(_ db: Database) throws -> Set<RowDecoder.ID.Unwrapped> {
    let key = try db.primaryKey(RowDecoder.databaseTableName).columns[0]
    let statement = try deletion(returning: [Column(key).sqlSelection]).prepare(db)
    return try Set(RowDecoder.ID.Unwrapped.fetchAll(statement))
  }
}

// MARK: - By key

extension TableQuery {
  /// Deletes the row with the given primary key.
  ///
  ///     try Table("users").deleteOne(db, key: 1)
  ///     // DELETE FROM "users" WHERE "id" = 1
  ///
  /// - Returns: Whether a row was deleted.
  /// - Throws: ``DatabaseError``, with `SQLITE_MISUSE` when the primary key has several columns.
  @discardableResult
  public func deleteOne(_ db: Database, key: any DatabaseValueConvertible) throws -> Bool {
    try request.filter(key: key).deleteAll(db) > 0
  }

  /// Deletes the row with the given values in the columns of a primary key or a unique index.
  ///
  ///     try Table("player").deleteOne(db, key: ["email": "arthur@example.com"])
  ///     // DELETE FROM "player" WHERE "email" = 'arthur@example.com'
  ///
  /// - Returns: Whether a row was deleted.
  /// - Throws: ``DatabaseError``, with `SQLITE_MISUSE` when there is no such key or index.
  @discardableResult
  public func deleteOne(
    _ db: Database,
    key: [String: (any DatabaseValueConvertible)?]
  ) throws -> Bool {
    try request.filter(key: key).deleteAll(db) > 0
  }

  /// Deletes the rows with the given primary keys.
  ///
  ///     try Table("users").deleteAll(db, keys: [1, 2, 3])
  ///     // DELETE FROM "users" WHERE "id" IN (1, 2, 3)
  ///
  /// - Returns: The number of rows deleted.
  /// - Throws: ``DatabaseError``, with `SQLITE_MISUSE` when the primary key has several columns.
  @discardableResult
  public func deleteAll<Key: DatabaseValueConvertible>(
    _ db: Database,
    keys: any Sequence<Key>
  ) throws -> Int {
    try request.filter(keys: keys).deleteAll(db)
  }

  /// Deletes the rows with the given values in the columns of a primary key or a unique index.
  ///
  ///     try Table("player").deleteAll(db, keys: [["email": "arthur@example.com"]])
  ///     // DELETE FROM "player" WHERE "email" = 'arthur@example.com'
  ///
  /// - Returns: The number of rows deleted.
  /// - Throws: ``DatabaseError``, with `SQLITE_MISUSE` when there is no such key or index.
  @discardableResult
  public func deleteAll(
    _ db: Database,
    keys: [[String: (any DatabaseValueConvertible)?]]
  ) throws -> Int {
    try request.filter(keys: keys).deleteAll(db)
  }
}

extension TableQuery where RowDecoder: Identifiable, RowDecoder.ID: DatabaseValueConvertible {
  /// Deletes the row with the given primary key.
  ///
  ///     try Table<Player>("player").deleteOne(db, id: 1)
  ///     // DELETE FROM "player" WHERE "id" = 1
  @discardableResult
  public func deleteOne(_ db: Database, id: RowDecoder.ID) throws -> Bool {
    try deleteOne(db, key: id)
  }

  /// Deletes the rows with the given primary keys.
  ///
  ///     try Table<Player>("player").deleteAll(db, ids: [1, 2, 3])
  ///     // DELETE FROM "player" WHERE "id" IN (1, 2, 3)
  @discardableResult
  public func deleteAll(_ db: Database, ids: any Sequence<RowDecoder.ID>) throws -> Int {
    try deleteAll(db, keys: ids)
  }
}

extension TableQuery where RowDecoder: Identifiable {
  /// Deletes the rows with the given primary keys, of records with an optional one:
  /// `var id: Int64?`.
  ///
  ///     try Table<Player>("player").deleteAll(db, ids: [1, 2, 3])
  ///     // DELETE FROM "player" WHERE "id" IN (1, 2, 3)
  @discardableResult
  public func deleteAll<Key: DatabaseValueConvertible>(
    _ db: Database,
    ids: any Sequence<Key>
  ) throws -> Int where RowDecoder.ID == Key? {
    try deleteAll(db, keys: ids)
  }
}
