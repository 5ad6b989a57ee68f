extension TableQuery {
  /// Returns whether there is no row.
  ///
  ///     try Player.filter { $0.score > 1000 }.isEmpty(db)
  ///     // SELECT EXISTS (SELECT * FROM "player" WHERE "score" > 1000)
  public func isEmpty(_ db: Database) throws -> Bool {
    try Bool.fetchOne(db.cachedStatement(literal: "SELECT \(exists())")) != true
  }

  /// Returns whether there is a row with the given primary key.
  ///
  ///     try Table("users").exists(db, key: 1)
  ///     // SELECT EXISTS (SELECT * FROM "users" WHERE "id" = 1)
  ///
  /// - Throws: ``DatabaseError``, with `SQLITE_MISUSE` when the primary key has several columns.
  public func exists(_ db: Database, key: any DatabaseValueConvertible) throws -> Bool {
    try !request.filter(key: key).isEmpty(db)
  }

  /// Returns whether there is a row with the given values in the columns of a primary key or a
  /// unique index.
  ///
  ///     try Table("player").exists(db, key: ["email": "arthur@example.com"])
  ///     // SELECT EXISTS (SELECT * FROM "player" WHERE "email" = 'arthur@example.com')
  ///
  /// - Throws: ``DatabaseError``, with `SQLITE_MISUSE` when there is no such key or index.
  public func exists(
    _ db: Database,
    key: [String: (any DatabaseValueConvertible)?]
  ) throws -> Bool {
    try !request.filter(key: key).isEmpty(db)
  }
}

extension TableQuery where RowDecoder: Identifiable, RowDecoder.ID: DatabaseValueConvertible {
  /// Returns whether there is a row with the given primary key.
  ///
  ///     try Table<Player>("player").exists(db, id: 1)
  ///     // SELECT EXISTS (SELECT * FROM "player" WHERE "id" = 1)
  public func exists(_ db: Database, id: RowDecoder.ID) throws -> Bool {
    try exists(db, key: id)
  }
}
