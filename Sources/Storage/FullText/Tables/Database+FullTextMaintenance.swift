extension Database {
  /// Makes the index of a full-text table anew from its texts.
  ///
  ///     try db.rebuild(fullTextTable: "document")
  ///     // INSERT INTO "document" ("document") VALUES ('rebuild')
  ///
  /// - Throws: ``DatabaseError``, such as for a table that holds no texts.
  public func rebuild(fullTextTable table: String) throws { try command("rebuild", table) }

  /// Merges the parts of the index of a full-text table into one, which makes queries faster.
  ///
  ///     try db.optimize(fullTextTable: "document")
  ///     // INSERT INTO "document" ("document") VALUES ('optimize')
  ///
  /// - Throws: ``DatabaseError``.
  public func optimize(fullTextTable table: String) throws { try command("optimize", table) }

  /// Checks that the index of a full-text table fits its texts.
  ///
  ///     try db.checkIntegrity(ofFullTextTable: "document")
  ///     // INSERT INTO "document" ("document") VALUES ('integrity-check')
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_CORRUPT_VTAB` when it does not.
  public func checkIntegrity(ofFullTextTable table: String) throws {
    try command("integrity-check", table)
  }

  private func command(_ command: String, _ table: String) throws {
    let name = table.quotedDatabaseIdentifier
    try execute(sql: "INSERT INTO \(name) (\(name)) VALUES ('\(command)')")
  }
}
