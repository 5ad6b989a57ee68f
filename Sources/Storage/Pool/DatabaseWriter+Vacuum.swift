internal import CWellspringSQLite

extension DatabaseWriter {
  /// Rebuilds the database file, without the space of deleted rows.
  ///
  ///     try pool.vacuum()
  ///     // VACUUM
  ///
  /// It needs up to twice the size of the file in free disk space, and holds the write lock until
  /// it ends. The hidden row ids of tables without an `INTEGER PRIMARY KEY` may change.
  /// https://www.sqlite.org/lang_vacuum.html
  ///
  /// - Throws: ``DatabaseError``. The database is unchanged then.
  public func vacuum() throws {
    try writeWithoutTransaction { db in try db.execute(sql: "VACUUM") }
  }

  /// Rebuilds the database file, without the space of deleted rows.
  ///
  ///     try await pool.vacuum()
  ///     // VACUUM
  ///
  /// - Throws: ``DatabaseError``, or `CancellationError`. The database is unchanged then.
  public func vacuum() async throws {
    try await writeWithoutTransaction { db in try db.execute(sql: "VACUUM") }
  }

  /// Writes a copy of the database into a new file, without the space of deleted rows.
  ///
  ///     try pool.vacuum(into: "/backups/monday.sqlite")
  ///     // VACUUM INTO '/backups/monday.sqlite'
  ///
  /// The copy holds one state of the database. Other connections can read and write meanwhile;
  /// writes of this object wait.
  ///
  /// - Throws: ``DatabaseError``, such as when the file exists. It may leave an incomplete file,
  ///   which can be deleted.
  public func vacuum(into path: String) throws {
    try writeWithoutTransaction { db in
      try db.execute(sql: "VACUUM INTO ?", arguments: [path])
    }
  }

  /// Writes a copy of the database into a new file: see ``vacuum(into:)-(String)``.
  ///
  /// - Throws: ``DatabaseError``, or `CancellationError`. It may leave an incomplete file, which
  ///   can be deleted.
  public func vacuum(into path: String) async throws {
    try await writeWithoutTransaction { db in
      try db.execute(sql: "VACUUM INTO ?", arguments: [path])
    }
  }

  /// Deletes the whole content of the database: tables, views, indexes, triggers, schema version.
  ///
  ///     try pool.erase()
  ///
  /// It waits until no read of this object runs, and works on a damaged file too. Observations of
  /// deleted tables fail, and recover when the tables exist again.
  ///
  /// - Throws: ``DatabaseError``, such as when another process uses the file. The database is
  ///   unchanged then.
  public func erase() throws {
    try barrierWriteWithoutTransaction { db in try db.erase() }
  }

  /// Deletes the whole content of the database: see ``erase()-()``.
  ///
  /// - Throws: ``DatabaseError``, or `CancellationError`. The database is unchanged then.
  public func erase() async throws {
    try await barrierWriteWithoutTransaction { db in try db.erase() }
  }
}

extension Database {
  /// Deletes the whole content of the database, outside a transaction.
  /// https://www.sqlite.org/c3ref/c_dbconfig_defensive.html#sqlitedbconfigresetdatabase
  func erase() throws {
    let journalMode = try mainJournalMode()
    // The version of a damaged file may not be readable, and then no connection knows it.
    let version = (try? versions.schemaNumber()) ?? 0
    releaseStatements()
    defer { hooks?.contentWasReplaced() }
    do {
      wellspring_db_config(sqliteConnection, SQLITE_DBCONFIG_RESET_DATABASE, 1)
      defer { wellspring_db_config(sqliteConnection, SQLITE_DBCONFIG_RESET_DATABASE, 0) }
      try execute(sql: "VACUUM")
    }
    // The content is gone, so a cancellation must not stop the rest.
    try complete {
      if try mainJournalMode() != journalMode {
        try execute(sql: "PRAGMA journal_mode = \(journalMode)")
      }
      // SQLite counts from 1 again, which connections may know as the version of the old schema.
      try execute(sql: "PRAGMA schema_version = \(Int32(truncatingIfNeeded: version + 1))")
      // This connection notices it when a statement begins, which a `CREATE TABLE` is too late for.
      _ = try Int.fetchOne(self, sql: "SELECT count(*) FROM sqlite_master")
    }
  }
}
