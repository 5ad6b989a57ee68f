extension MutablePersistableRecord {
  /// Deletes the row with this record's primary key.
  ///
  ///     try item.delete(db)
  ///     // DELETE FROM "item" WHERE "id" = 1
  ///
  /// - Returns: Whether there was such a row. In a view: whether the `INSTEAD OF` triggers have
  ///   changed any row.
  /// - Throws: ``DatabaseError``, with `SQLITE_MISUSE` when the table has no primary key or the
  ///   record does not encode it, and the errors of callbacks.
  @discardableResult
  public func delete(_ db: Database) throws -> Bool {
    var record = self
    try record.willDelete(db)
    var deleted: Bool?
    try record.aroundDelete(db) {
      let encoded = try EncodedRecord(record, db)
      let statement = try Delete(rows: encoded.rows()).prepare(db)
      let (_, count) = try db.countingChanges(of: encoded.table) { try statement.execute() }
      deleted = count > 0
      return count > 0
    }
    guard let deleted else { throw Self.missingResult(of: "aroundDelete") }
    record.didDelete(deleted: deleted)
    return deleted
  }
}
