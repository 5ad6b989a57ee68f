extension MutablePersistableRecord {
  /// Deletes the row with this record's primary key.
  ///
  ///     try item.delete(db)
  ///     // DELETE FROM "item" WHERE "id" = 1
  ///
  /// - Returns: Whether there was such a row.
  /// - Throws: ``DatabaseError``, with `SQLITE_MISUSE` when the table has no primary key or the
  ///   record does not encode it, and the errors of callbacks.
  @discardableResult
  public func delete(_ db: Database) throws -> Bool {
    var record = self
    try record.willDelete(db)
    var deleted: Bool?
    try record.aroundDelete(db) {
      let delete = Delete(rows: try EncodedRecord(record, db).rows())
      try delete.prepare(db).execute()
      deleted = db.changesCount > 0
      return db.changesCount > 0
    }
    guard let deleted else { throw Self.missingResult(of: "aroundDelete") }
    record.didDelete(deleted: deleted)
    return deleted
  }
}
