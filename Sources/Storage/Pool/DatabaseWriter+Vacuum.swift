internal import CWellspringSQLite

extension DatabaseWriter {
  /// Writes the file anew, without the space that deleted rows have left.
  ///
  ///     try pool.vacuum()
  ///     // VACUUM
  ///
  /// It takes up to twice the size of the file in addition, and the write lock until it is done. The hidden row
  /// ids of tables without an `INTEGER PRIMARY KEY` may change. https://www.sqlite.org/lang_vacuum.html
  ///
  /// - Throws: ``DatabaseError``. The database is left as it was.
  public func vacuum() throws {
    try writeWithoutTransaction { db in try db.execute(sql: "VACUUM") }
  }

  /// Writes the file anew, without the space that deleted rows have left.
  ///
  ///     try await pool.vacuum()
  ///     // VACUUM
  ///
  /// - Throws: ``DatabaseError``, or `CancellationError`. The database is left as it was.
  public func vacuum() async throws {
    try await writeWithoutTransaction { db in try db.execute(sql: "VACUUM") }
  }

  /// Writes a copy of the database, without the space that deleted rows have left, into a file that does not
  /// exist.
  ///
  ///     try pool.vacuum(into: "/backups/monday.sqlite")
  ///     // VACUUM INTO '/backups/monday.sqlite'
  ///
  /// The copy is of one state; others can read and write meanwhile, but for the writes of this object.
  ///
  /// - Throws: ``DatabaseError``; there may be a part of a file then, which can be removed.
  public func vacuum(into path: String) throws {
    try writeWithoutTransaction { db in
      try db.execute(sql: "VACUUM INTO ?", arguments: [path])
    }
  }

  /// Writes a copy of the database into a file that does not exist: see ``vacuum(into:)-(String)``.
  ///
  /// - Throws: ``DatabaseError``, or `CancellationError`; there may be a part of a file then, which can be
  ///   removed.
  public func vacuum(into path: String) async throws {
    try await writeWithoutTransaction { db in
      try db.execute(sql: "VACUUM INTO ?", arguments: [path])
    }
  }

  /// Deletes all there is: tables, views, indexes, triggers, the schema's version.
  ///
  ///     try pool.erase()
  ///
  /// It waits until nobody reads through this object, and works on a damaged file too. Observations
  /// of what is gone fail, and recover when it is back.
  ///
  /// - Throws: ``DatabaseError``, such as when another process uses the file. The database is left as it was.
  public func erase() throws {
    try barrierWriteWithoutTransaction { db in try db.erase() }
  }

  /// Deletes all there is: see ``erase()-()``.
  ///
  /// - Throws: ``DatabaseError``, or `CancellationError`. The database is left as it was.
  public func erase() async throws {
    try await barrierWriteWithoutTransaction { db in try db.erase() }
  }
}

extension Database {
  /// Deletes all there is, outside of a transaction.
  /// https://www.sqlite.org/c3ref/c_dbconfig_defensive.html#sqlitedbconfigresetdatabase
  func erase() throws {
    let journalMode = try pragmas.journalMode()
    releaseStatements()
    defer { hooks?.contentWasReplaced() }
    do {
      wellspring_db_config(sqliteConnection, SQLITE_DBCONFIG_RESET_DATABASE, 1)
      defer { wellspring_db_config(sqliteConnection, SQLITE_DBCONFIG_RESET_DATABASE, 0) }
      try execute(sql: "VACUUM")
    }
    if try pragmas.journalMode() != journalMode {
      try execute(sql: "PRAGMA journal_mode = \(journalMode)")
    }
  }
}
