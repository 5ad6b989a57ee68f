internal import CWellspringSQLite
internal import Dispatch
internal import WellspringSystem

extension Database {
  /// Where SQLite keeps the pages that it needs to roll a transaction back.
  /// https://www.sqlite.org/pragma.html#pragma_journal_mode
  public enum JournalMode: String, Sendable {
    /// A rollback journal, which is deleted at the commit.
    case delete
    /// A rollback journal, which is truncated to zero bytes at the commit.
    case truncate
    /// A rollback journal, whose header is overwritten at the commit.
    case persist
    /// A rollback journal in memory: a crash during a commit corrupts the file.
    case memory
    /// A write-ahead log.
    case wal
    /// No journal: transactions cannot be rolled back.
    case off
  }
}

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
  /// - Throws: The errors of ``setJournalMode(_:of:)``.
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

/// Lets a watcher read a file only while no other process writes it.
///
/// Without a WAL, a read that overlaps another process's commit makes that commit fail with
/// "database is locked". A rollback journal with content means that a transaction is under way: its
/// commit ends when the journal is deleted.
enum JournalGate {
  /// Returns whether a transaction seems to be under way.
  static func isClosed(path: String) -> Bool {
    guard let journal = FileStatus(path: path + "-journal"), journal.size > 0 else { return false }
    // A journal that was not modified for long belongs to a transaction that pauses, or to a
    // process that died. SQLite distinguishes the two when the watcher reads.
    // One from the future was modified before the clock was set back: it says nothing either.
    let age = WallClock.age(of: journal.modificationTime)
    guard Fault.isOn(.futureJournal) || age > -staleAfter, age < staleAfter else { return false }
    return hasContent(path: path)
  }

  /// Returns whether the journal belongs to a transaction that is under way, or whose process died.
  static func hasContent(path: String) -> Bool {
    // A journal that is kept between transactions (`journal_mode=PERSIST`) begins with zeros. It
    // carries no locks, so opening it is safe.
    guard let byte = FileHead.firstByte(path: path + "-journal") else { return false }
    return byte != 0
  }

  /// Waits until no transaction seems to be under way, for at most a second. After that, SQLite's
  /// locks decide which connection may proceed.
  ///
  /// - Throws: The error of the cancellation.
  static func waitUntilOpen(path: String, _ cancellation: Cancellation) throws {
    guard isClosed(path: path) else { return }
    let deadline = DispatchTime.now() + 1
    repeat {
      try cancellation.check()
      guard DispatchTime.now() < deadline else { return }
      CurrentThread.pause(microseconds: 200)
    } while isClosed(path: path)
  }

  /// The age in nanoseconds at which a journal no longer keeps the watcher from reading.
  private static let staleAfter: Int64 = 1_000_000_000
}
