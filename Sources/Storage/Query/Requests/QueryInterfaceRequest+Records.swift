extension QueryInterfaceRequest {
  /// Updates the rows with what a record stores, but for the primary key: **all** rows of the request.
  ///
  ///     try User.filter { $0.city == "Rome" }.updateAll(db, from: user, and: [Column("seen").set(to: true)])
  ///     // UPDATE "user" SET "name" = 'Anna', "seen" = 1 WHERE "city" = 'Rome'
  ///
  /// - Parameters:
  ///   - db: A writable connection.
  ///   - conflictResolution: What happens when a row violates a constraint.
  ///   - record: What is stored.
  ///   - assignments: More columns, or other values of the same ones.
  ///   - userInfo: What the `encode(to:)` of an `Encodable` record sees, with those of
  ///     ``EncodableRecord/databaseEncodingUserInfo`` that it does not replace.
  /// - Returns: The number of rows updated.
  /// - Throws: ``DatabaseError`` with an extension of `SQLITE_CONSTRAINT` when a constraint forbids it.
  @discardableResult
  public func updateAll(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution = .abort,
    from record: some EncodableRecord,
    and assignments: [ColumnAssignment] = [],
    userInfo: [CodingUserInfoKey: Any] = [:]
  ) throws -> Int {
    let container = try PersistenceContainer(record, userInfo: userInfo)
    let key = try db.primaryKey(selectStatement.from.table.tableName).columns
    let own = container.assignments.leaving(out: key + assignments.map(\.column))
    return try updateAll(db, onConflict: conflictResolution, own + assignments)
  }
}
