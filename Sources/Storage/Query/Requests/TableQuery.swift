/// A ``Table``, or a request for rows of one, which can be fetched, updated and deleted.
///
///     try Table("player").updateAll(db, [Column("score").set(to: 0)])
///     // UPDATE "player" SET "score" = 0
///
///     try Player.filter { $0.score < 10 }.deleteAll(db)
///     // DELETE FROM "player" WHERE "score" < 10
public protocol TableQuery<RowDecoder>: RefinableRequest, FetchRequest {}

extension TableQuery {
  /// The request for the rows.
  var request: QueryInterfaceRequest<RowDecoder> {
    QueryInterfaceRequest(all().selectStatement)
  }

  /// The columns that a statement returns of the rows that it changes.
  ///
  /// A record is decoded from its own columns, whatever the request selects of them: `nil` means
  /// the selection of the request, which contains the columns of the record.
  var returnedSelection: [SQLSelection]? {
    guard let record = RowDecoder.self as? any TableRecord.Type else { return nil }
    let own = record.databaseSelection.map(\.sqlSelection)
    return request.selectStatement.select.selection.starts(with: own) ? nil : own
  }
}

extension TableQuery {
  /// Returns whether the request has no rows.
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

extension TableQuery {
  /// Updates **all** rows of the request with the values of a record, except its primary key.
  ///
  ///     try User.filter { $0.city == "Rome" }
  ///       .updateAll(db, from: user, and: [Column("seen").set(to: true)])
  ///     // UPDATE "user" SET "name" = 'Anna', "seen" = 1 WHERE "city" = 'Rome'
  ///
  /// - Parameters:
  ///   - db: A writable connection.
  ///   - conflictResolution: The reaction to a row that violates a constraint.
  ///   - record: The record whose values are stored.
  ///   - assignments: More assignments, which take precedence over the record's values.
  ///   - userInfo: Values for the `encode(to:)` of an `Encodable` record. They take precedence over
  ///     ``EncodableRecord/databaseEncodingUserInfo``.
  /// - Returns: The number of rows updated.
  /// - Throws: ``DatabaseError`` with an extended code of `SQLITE_CONSTRAINT` when a constraint is
  ///   violated.
  @discardableResult
  public func updateAll(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    from record: some EncodableRecord,
    and assignments: [ColumnAssignment] = [],
    userInfo: [CodingUserInfoKey: Any] = [:]
  ) throws -> Int {
    let container = try PersistenceContainer(record, userInfo: userInfo)
    let key = try db.primaryKey(request.selectStatement.from.table.tableName).columns
    let own = container.assignments.excluding(key + assignments.map(\.column))
    return try updateAll(db, onConflict: conflictResolution, own + assignments)
  }
}

// Statements that change rows, and return columns of them.

extension TableQuery {
  /// Returns a statement that deletes the rows when it runs, and returns columns of them.
  ///
  ///     let statement = try Player.filter { $0.score < 10 }
  ///       .deleteAndFetchStatement(db, selection: [Column("name")])
  ///     let names = try String.fetchSet(statement)
  ///     // DELETE FROM "player" WHERE "score" < 10 RETURNING "name"
  public func deleteAndFetchStatement(
    _ db: Database,
    selection: [any SQLSelectable]
  ) throws -> Statement {
    try deletion(returning: selection.map(\.sqlSelection)).prepare(db)
  }

  /// Returns a statement that updates the rows when it runs, and returns columns of them.
  ///
  ///     let statement = try Player.all()
  ///       .updateAndFetchStatement(db, [Column("score") += 1], selection: [Column("score")])
  ///     let scores = try Int.fetchAll(statement)
  ///     // UPDATE "player" SET "score" = "score" + 1 RETURNING "score"
  ///
  /// Without assignments, the statement fetches the columns, and changes nothing.
  public func updateAndFetchStatement(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    _ assignments: [ColumnAssignment],
    selection: [any SQLSelectable]
  ) throws -> Statement {
    guard !assignments.isEmpty else {
      return try request.select(selection).makePreparedRequest(db).statement
    }
    let returned = selection.map(\.sqlSelection)
    return try update(conflictResolution, assignments, returning: returned).prepare(db)
  }
}

extension TableQuery where RowDecoder: TableRecord {
  /// Returns a statement that deletes the rows when it runs, and returns columns of them.
  ///
  ///     let statement = try Player.all().deleteAndFetchStatement(db) { [$0.id, $0.name] }
  ///     let rows = try Row.fetchAll(statement)
  ///     // DELETE FROM "player" RETURNING "id", "name"
  public func deleteAndFetchStatement(
    _ db: Database,
    select selection: (RowDecoder.DatabaseComponents) throws -> [any SQLSelectable]
  ) throws -> Statement {
    try deleteAndFetchStatement(db, selection: selection(RowDecoder.databaseComponents))
  }

  /// Returns a statement that updates the rows when it runs, and returns columns of them.
  ///
  ///     let statement = try Player.all()
  ///       .updateAndFetchStatement(db) { [$0.score += 1] } select: { [$0.id, $0.score] }
  ///     // UPDATE "player" SET "score" = "score" + 1 RETURNING "id", "score"
  public func updateAndFetchStatement(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    assignments: (RowDecoder.DatabaseComponents) throws -> [ColumnAssignment],
    select selection: (RowDecoder.DatabaseComponents) throws -> [any SQLSelectable]
  ) throws -> Statement {
    try updateAndFetchStatement(
      db,
      onConflict: conflictResolution,
      assignments(RowDecoder.databaseComponents),
      selection: selection(RowDecoder.databaseComponents)
    )
  }
}
