internal import CWellspringSQLite
internal import WellspringPlatform

/// How far a backup has come.
public struct DatabaseBackupProgress: Hashable, Sendable {
  /// How many pages are left.
  public let remainingPageCount: Int
  /// How many pages the source has.
  public let totalPageCount: Int
  /// How many pages are done.
  public var completedPageCount: Int { totalPageCount - remainingPageCount }
  /// Whether none is left.
  public let isCompleted: Bool
}

extension Database {
  /// Copies this database into another one, whose content is replaced.
  ///
  ///     try source.read { from in
  ///       try destination.writeWithoutTransaction { to in
  ///         try from.backup(to: to, pagesPerStep: 100) { print($0.completedPageCount) }
  ///       }
  ///     }
  ///
  /// What other connections write into the source between two steps makes the copy begin anew.
  /// https://www.sqlite.org/backup.html
  ///
  /// - Parameters:
  ///   - destination: A connection that can write, outside of a transaction.
  ///   - pagesPerStep: How many pages to copy at a time; all of them unless given.
  ///   - progress: Called after each step. When it throws before the last one, the backup ends and the
  ///     destination is left as it was.
  /// - Throws: ``DatabaseError``, or what `progress` throws.
  public func backup(
    to destination: Database,
    pagesPerStep: Int = -1,
    progress: (DatabaseBackupProgress) throws -> Void = { _ in }
  ) throws {
    checkAccess()
    destination.checkAccess()
    // The destination takes the source's pages: what is prepared on it is of no use after that.
    destination.releaseStatements()
    let to = destination.sqliteConnection
    guard let backup = sqlite3_backup_init(to, "main", sqliteConnection, "main") else {
      throw DatabaseError(code: sqlite3_errcode(to), connection: to)
    }
    var isFinished = false
    defer { if !isFinished { sqlite3_backup_finish(backup) } }
    var tries = 0
    while true {
      let code = sqlite3_backup_step(backup, Int32(clamping: pagesPerStep))
      if code == SQLITE_DONE { break }
      if cancellation.isRequested || destination.cancellation.isRequested {
        throw CancellationError()
      }
      switch code & 0xFF {
      case SQLITE_OK:
        tries = 0
        try progress(Self.progress(of: backup, isCompleted: false))
      case SQLITE_BUSY, SQLITE_LOCKED:
        // SQLite does not wait by itself here.
        guard destination.busyHandler.shouldRetry(tries: tries) else {
          throw DatabaseError(
            resultCode: ResultCode(rawValue: code),
            message: "the database is locked"
          )
        }
        tries += 1
      default:
        throw DatabaseError(
          resultCode: ResultCode(rawValue: code),
          message: String(cString: sqlite3_errstr(code))
        )
      }
    }
    let last = Self.progress(of: backup, isCompleted: true)
    isFinished = true
    let code = sqlite3_backup_finish(backup)
    guard code == SQLITE_OK else { throw DatabaseError(code: code, connection: to) }
    destination.hooks?.contentWasReplaced()
    try progress(last)
  }

  private static func progress(
    of backup: OpaquePointer,
    isCompleted: Bool
  ) -> DatabaseBackupProgress {
    DatabaseBackupProgress(
      remainingPageCount: Int(sqlite3_backup_remaining(backup)),
      totalPageCount: Int(sqlite3_backup_pagecount(backup)),
      isCompleted: isCompleted
    )
  }
}

extension DatabaseReader {
  /// Copies this database into another one, whose content is replaced: see
  /// ``Database/backup(to:pagesPerStep:progress:)``.
  ///
  /// - Throws: ``DatabaseError``, or what `progress` throws.
  public func backup(
    to destination: some DatabaseWriter,
    pagesPerStep: Int = -1,
    progress: (DatabaseBackupProgress) throws -> Void = { _ in }
  ) throws {
    try destination.barrierWriteWithoutTransaction { to in
      try unsafeRead { from in
        try from.backup(to: to, pagesPerStep: pagesPerStep, progress: progress)
      }
    }
  }
}
