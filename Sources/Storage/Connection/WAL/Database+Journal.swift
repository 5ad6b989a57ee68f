internal import CWellspringSQLite

extension Database {
  /// How a transaction can be undone. https://www.sqlite.org/pragma.html#pragma_journal_mode
  public enum JournalMode: String, Sendable {
    /// A rollback journal, which is removed at the commit.
    case delete
    /// A rollback journal, which is cut to nothing at the commit.
    case truncate
    /// A rollback journal, whose header is overwritten at the commit.
    case persist
    /// A rollback journal in memory: a crash during a commit corrupts the file.
    case memory
    /// A write-ahead log.
    case wal
    /// None: nothing can be rolled back.
    case off
  }

  /// Returns the journal mode of a database.
  ///
  /// - Parameter schema: The database: `main`, or an attached one.
  /// - Returns: The mode.
  /// - Throws: ``DatabaseError``.
  public func journalMode(of schema: String = "main") throws -> JournalMode {
    try pragma(schema, "journal_mode").flatMap { JournalMode(rawValue: $0) } ?? .delete
  }

  /// Changes the journal mode of a database. Pools need the WAL: don't take it from them.
  ///
  ///     try queue.writeWithoutTransaction { db in try db.setJournalMode(.truncate) }
  ///     // PRAGMA "main".journal_mode = truncate
  ///
  /// - Throws: ``DatabaseError``, with `SQLITE_BUSY` when others use the file, and with `SQLITE_ERROR`
  ///   when the database stays in another mode, as one in memory does.
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

  /// Returns how hard the connection presses its commits to the disk.
  ///
  /// - Throws: ``DatabaseError``.
  public func synchronous() throws -> Configuration.Synchronous {
    let modes: [String: Configuration.Synchronous] = ["0": .off, "1": .normal, "2": .full]
    return try pragma("main", "synchronous").flatMap { modes[$0] } ?? .extra
  }

  /// Changes how hard the connection presses its commits to the disk; outside of transactions.
  ///
  /// - Throws: ``DatabaseError``.
  public func setSynchronous(_ mode: Configuration.Synchronous) throws {
    try pragma("main", "synchronous = \(mode.rawValue)")
  }

  /// Returns after how many pages in the WAL a commit moves them into the database: 1000 unless changed; 0 when
  /// it never does.
  ///
  /// - Throws: ``DatabaseError``.
  public func walAutoCheckpoint() throws -> Int {
    if let walHook { return walHook.threshold }
    return try pragma("main", "wal_autocheckpoint").flatMap { Int($0) } ?? 0
  }

  /// Changes after how many pages in the WAL a commit moves them into the database.
  ///
  /// - Parameter pageCount: 0 leaves it to ``checkpoint(_:on:)``.
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
