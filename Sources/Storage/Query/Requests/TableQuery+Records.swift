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
