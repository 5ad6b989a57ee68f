internal import CWellspringSQLite

extension Database {
  /// How far a checkpoint goes. https://www.sqlite.org/c3ref/wal_checkpoint_v2.html
  public enum CheckpointMode: Int32, Sendable {
    /// As far as it comes without waiting for anybody.
    case passive = 0
    /// Waits for writers, and for readers of older states, so that all of the WAL is moved.
    case full = 1
    /// As `full`, and waits for all readers of the WAL, so that the next write begins it anew.
    case restart = 2
    /// As `restart`, and cuts the WAL to nothing.
    case truncate = 3
  }

  /// What a checkpoint has achieved.
  public struct CheckpointResult: Hashable, Sendable {
    /// How many pages the WAL holds; 0 after one that cut it, and for a database without a WAL.
    public let walFrameCount: Int
    /// How many of them are in the database file by now.
    public let checkpointedFrameCount: Int
    /// Whether a reader or a writer stood in the way until the time-out of
    /// ``Configuration/busyMode``, so that less was done than asked for.
    public let isBusy: Bool

    /// Whether all of the WAL is in the database file.
    public var isComplete: Bool { checkpointedFrameCount == walFrameCount }
  }

  /// Moves what was committed from the WAL into the database file.
  ///
  ///     try pool.writeWithoutTransaction { db in try db.checkpoint(.truncate) }
  ///
  /// Commits do that by themselves from time to time: see ``walAutoCheckpoint()``.
  ///
  /// - Parameters:
  ///   - mode: How far to go.
  ///   - schema: The database: `main`, or an attached one.
  /// - Returns: What was achieved.
  /// - Throws: ``DatabaseError``, with `SQLITE_LOCKED` inside of a transaction, and with
  ///   `SQLITE_READONLY` where nothing can be written. To be busy is no error.
  @discardableResult
  public func checkpoint(
    _ mode: CheckpointMode = .passive,
    on schema: String = "main"
  ) throws -> CheckpointResult {
    checkAccess()
    guard access == .write else {
      throw DatabaseError(
        resultCode: .SQLITE_READONLY,
        message: "a checkpoint writes: use writeWithoutTransaction"
      )
    }
    // SQLite's refusal depends on what the transaction has done so far.
    guard !isInsideTransaction else {
      throw DatabaseError(
        resultCode: .SQLITE_LOCKED,
        message: "no checkpoint can run inside of a transaction: use writeWithoutTransaction"
      )
    }
    return try checkpointing.run { try sqliteCheckpoint(mode, schema) }
  }

  private func sqliteCheckpoint(
    _ mode: CheckpointMode,
    _ schema: String
  ) throws -> CheckpointResult {
    var walFrameCount: Int32 = 0
    var checkpointedFrameCount: Int32 = 0
    let code = sqlite3_wal_checkpoint_v2(
      sqliteConnection,
      schema,
      mode.rawValue,
      &walFrameCount,
      &checkpointedFrameCount
    )
    if code & 0xFF != SQLITE_BUSY, code != SQLITE_OK {
      throw DatabaseError(code: code, connection: sqliteConnection)
    }
    // SQLite says -1 for a database without a WAL.
    return CheckpointResult(
      walFrameCount: max(0, Int(walFrameCount)),
      checkpointedFrameCount: max(0, Int(checkpointedFrameCount)),
      isBusy: code != SQLITE_OK
    )
  }
}
