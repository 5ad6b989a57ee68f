internal import CWellspringSQLite
internal import WellspringSystem

/// The progress of a backup.
public struct DatabaseBackupProgress: Hashable, Sendable {
  /// The number of pages that are still to be copied.
  public let remainingPageCount: Int
  /// The number of pages of the source.
  public let totalPageCount: Int
  /// The number of pages that are copied.
  public var completedPageCount: Int { totalPageCount - remainingPageCount }
  /// Whether the backup is complete.
  public let isCompleted: Bool
}

extension DatabaseReader {
  /// Copies this database into another one, and replaces the content of that one: see
  /// ``Database/backup(to:pagesPerStep:progress:)``.
  ///
  /// - Throws: ``DatabaseError``, or the errors of `progress`.
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

extension Database {
  /// Copies this database into another one, and replaces the content of that one.
  ///
  ///     try source.read { from in
  ///       try destination.writeWithoutTransaction { to in
  ///         try from.backup(to: to, pagesPerStep: 100) { print($0.completedPageCount) }
  ///       }
  ///     }
  ///
  /// The copy restarts when another connection writes to the source between two steps.
  /// https://www.sqlite.org/backup.html
  ///
  /// - Parameters:
  ///   - destination: A connection that can write, and that is not in a transaction.
  ///   - pagesPerStep: How many pages to copy at a time; by default all of them.
  ///   - progress: Called after each step. If it throws before the last step, the backup ends and
  ///     the destination stays unchanged.
  /// - Throws: ``DatabaseError``, or the errors of `progress`.
  public func backup(
    to destination: Database,
    pagesPerStep: Int = -1,
    progress: (DatabaseBackupProgress) throws -> Void = { _ in }
  ) throws {
    try requireAccess()
    try destination.requireAccess()
    try destination.checkMayWrite()
    // The pages of the destination are replaced, which makes its prepared statements useless.
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
      try cancellation.check()
      try destination.cancellation.check()
      switch code & 0xFF {
      case SQLITE_OK:
        tries = 0
        try progress(Self.progress(of: backup, isCompleted: false))
      case SQLITE_BUSY, SQLITE_LOCKED:
        // SQLite does not wait here.
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
