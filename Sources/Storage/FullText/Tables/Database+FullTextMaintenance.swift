extension Database {
  /// Rebuilds the index of a full-text table from its texts.
  ///
  ///     try db.rebuild(fullTextTable: "document")
  ///     // INSERT INTO "document" ("document") VALUES ('rebuild')
  ///
  /// - Throws: ``DatabaseError``, for example for a contentless table.
  public func rebuild(fullTextTable table: String) throws { try command("rebuild", table) }

  /// Merges the segments of a full-text table's index into one, which makes queries faster.
  ///
  ///     try db.optimize(fullTextTable: "document")
  ///     // INSERT INTO "document" ("document") VALUES ('optimize')
  ///
  /// - Throws: ``DatabaseError``.
  public func optimize(fullTextTable table: String) throws { try command("optimize", table) }

  /// Checks that the index of a full-text table matches its texts.
  ///
  ///     try db.checkIntegrity(ofFullTextTable: "document")
  ///     // INSERT INTO "document" ("document") VALUES ('integrity-check')
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_CORRUPT_VTAB` when the index does not match.
  public func checkIntegrity(ofFullTextTable table: String) throws {
    try command("integrity-check", table)
  }

  private func command(_ command: String, _ table: String) throws {
    let name = table.quotedDatabaseIdentifier
    try execute(sql: "INSERT INTO \(name) (\(name)) VALUES ('\(command)')")
  }
}
