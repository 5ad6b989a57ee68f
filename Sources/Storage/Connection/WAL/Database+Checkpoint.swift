internal import CWellspringSQLite
internal import WellspringPlatform

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
    try requireAccess()
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
    let start = instrumentation != nil ? MonotonicClock.now : 0
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
      throw failure(code)
    }
    let result = CheckpointResult(walFrameCount, checkpointedFrameCount, isBusy: code != SQLITE_OK)
    instrumentation?.checkpointDidEnd(mode, result, began: start)
    return result
  }

  /// Moves pages of the WAL of `main` without waiting, after a commit.
  func checkpointAutomatically() {
    checkpointMain(.passive)
  }

  /// Empties the WAL of `main`, unless another connection uses it.
  func emptyWAL() {
    withoutWaiting { checkpointMain(.truncate) }
  }

  private func checkpointMain(_ mode: CheckpointMode) {
    let start = instrumentation != nil ? MonotonicClock.now : 0
    var walFrameCount: Int32 = 0
    var checkpointedFrameCount: Int32 = 0
    let code = sqlite3_wal_checkpoint_v2(
      sqliteConnection,
      "main",
      mode.rawValue,
      &walFrameCount,
      &checkpointedFrameCount
    )
    let result = CheckpointResult(walFrameCount, checkpointedFrameCount, isBusy: code != SQLITE_OK)
    instrumentation?.checkpointDidEnd(mode, result, isAutomatic: true, began: start)
  }
}

extension Database.CheckpointResult {
  /// Creates a result from SQLite's numbers, which are -1 for a database without a WAL.
  fileprivate init(_ walFrameCount: Int32, _ checkpointedFrameCount: Int32, isBusy: Bool) {
    self.init(
      walFrameCount: max(0, Int(walFrameCount)),
      checkpointedFrameCount: max(0, Int(checkpointedFrameCount)),
      isBusy: isBusy
    )
  }
}

extension Instrumentation {
  /// Records a checkpoint that began at a time of ``MonotonicClock/now``.
  fileprivate func checkpointDidEnd(
    _ mode: Database.CheckpointMode,
    _ result: Database.CheckpointResult,
    isAutomatic: Bool = false,
    began start: UInt64
  ) {
    let checkpoint = DatabaseActivity.Checkpoint(
      mode: mode,
      isAutomatic: isAutomatic,
      result: result,
      duration: Duration(clockNanoseconds: MonotonicClock.now - start)
    )
    record(.checkpoint(checkpoint))
  }
}
