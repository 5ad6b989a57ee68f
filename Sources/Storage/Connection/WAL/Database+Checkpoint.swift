internal import CWellspringSQLite

extension Database {
  /// Moves committed pages from the WAL into the database file.
  ///
  ///     try pool.writeWithoutTransaction { db in try db.checkpoint(.truncate) }
  ///
  /// Commits also do this automatically from time to time: see ``walAutoCheckpoint()``.
  ///
  /// - Parameters:
  ///   - mode: How far to go.
  ///   - schema: The database: `main`, or an attached one.
  /// - Returns: How far the checkpoint got.
  /// - Throws: ``DatabaseError``, with `SQLITE_LOCKED` inside a transaction, and with
  ///   `SQLITE_READONLY` in a read-only access. A busy database is not an error: see
  ///   ``CheckpointResult/isBusy``.
  @discardableResult
  public func checkpoint(
    _ mode: CheckpointMode = .passive,
    on schema: String = "main"
  ) throws -> CheckpointResult {
    checkAccess()
    guard access == .write else {
      guard !configuration.readonly else { throw readonlyError() }
      throw DatabaseError(
        resultCode: .SQLITE_READONLY,
        message: "a checkpoint writes: use writeWithoutTransaction"
      )
    }
    // SQLite itself refuses only depending on what the transaction has done so far.
    guard !isInsideTransaction else {
      throw DatabaseError(
        resultCode: .SQLITE_LOCKED,
        message: "no checkpoint can run inside a transaction: use writeWithoutTransaction"
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
    // SQLite reports -1 for a database without a WAL.
    return CheckpointResult(
      walFrameCount: max(0, Int(walFrameCount)),
      checkpointedFrameCount: max(0, Int(checkpointedFrameCount)),
      isBusy: code != SQLITE_OK
    )
  }
}
