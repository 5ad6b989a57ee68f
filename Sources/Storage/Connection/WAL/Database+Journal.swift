internal import CWellspringSQLite

extension Database {
  /// Returns the journal mode of a database.
  ///
  /// - Parameter schema: The database: `main`, or an attached one.
  /// - Returns: The mode.
  /// - Throws: ``DatabaseError``.
  public func journalMode(of schema: String = "main") throws -> JournalMode {
    try pragma(schema, "journal_mode").flatMap { JournalMode(rawValue: $0) } ?? .delete
  }

  /// Returns the journal mode of `main`, in lower case.
  ///
  /// Unlike ``journalMode(of:)``, it bypasses ``Statement``, and always runs its statement to the
  /// end.
  func mainJournalMode() throws -> String {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    let sql = "PRAGMA main.journal_mode"
    guard sqlite3_prepare_v2(sqliteConnection, sql, -1, &statement, nil) == SQLITE_OK,
      sqlite3_step(statement) == SQLITE_ROW,
      let text = sqlite3_column_text(statement, 0)
    else { throw failure(sqlite3_extended_errcode(sqliteConnection), sql: sql) }
    let mode = String(cString: text)
    sqlite3_step(statement)
    return mode
  }

  /// Changes the journal mode of a database. Don't change it for a pool, which needs the WAL.
  ///
  ///     try queue.writeWithoutTransaction { db in try db.setJournalMode(.truncate) }
  ///     // PRAGMA "main".journal_mode = truncate
  ///
  /// - Throws: ``DatabaseError``, with `SQLITE_BUSY` when other connections use the file, and with
  ///   `SQLITE_ERROR` when the database cannot change to the mode, such as an in-memory database.
  public func setJournalMode(_ mode: JournalMode, of schema: String = "main") throws {
    let result = try pragma(schema, "journal_mode = \(mode.rawValue)")
    guard result == mode.rawValue else {
      throw DatabaseError(
        resultCode: .SQLITE_ERROR,
        message: "the journal mode of \(schema) stays \(result ?? "?"): it cannot be \(mode)"
      )
    }
  }

  /// Changes `main` to WAL mode.
  ///
  /// - Throws: What ``setJournalMode(_:of:)`` throws.
  public func enableWAL() throws { try setJournalMode(.wal) }

  /// Returns how thoroughly the connection syncs its commits to disk.
  ///
  /// - Throws: ``DatabaseError``.
  public func synchronous() throws -> Configuration.Synchronous {
    let modes: [String: Configuration.Synchronous] = ["0": .off, "1": .normal, "2": .full]
    return try pragma("main", "synchronous").flatMap { modes[$0] } ?? .extra
  }

  /// Changes how thoroughly the connection syncs its commits to disk. Call it outside transactions.
  ///
  /// - Throws: ``DatabaseError``.
  public func setSynchronous(_ mode: Configuration.Synchronous) throws {
    try pragma("main", "synchronous = \(mode.rawValue)")
  }

  /// Returns the length of the WAL, in pages, at which a commit moves its pages into the database
  /// file. The default is 1000; 0 means never.
  ///
  /// - Throws: ``DatabaseError``.
  public func walAutoCheckpoint() throws -> Int {
    if let walHook { return walHook.threshold }
    return try pragma("main", "wal_autocheckpoint").flatMap { Int($0) } ?? 0
  }

  /// Changes the length of the WAL at which a commit moves its pages into the database file.
  ///
  /// - Parameter pageCount: The length in pages; 0 turns automatic checkpoints off, so that only
  ///   ``checkpoint(_:on:)`` moves pages.
  /// - Throws: ``DatabaseError``.
  public func setWALAutoCheckpoint(_ pageCount: Int) throws {
    if let walHook {
      walHook.threshold = pageCount
    } else {
      try pragma("main", "wal_autocheckpoint = \(pageCount)")
    }
  }

  @discardableResult
  private func pragma(_ schema: String, _ pragma: String) throws -> String? {
    let sql = "PRAGMA \(schema.quotedDatabaseIdentifier).\(pragma)"
    return try DatabaseValue.fetchOne(self, sql: sql).map { value in
      if case .int64(let number) = value.storage { return String(number) }
      return String.fromDatabaseValue(value) ?? ""
    }
  }
}
