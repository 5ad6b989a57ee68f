internal import CWellspringSQLite
internal import Dispatch
internal import WellspringSystem

extension Database {
  /// How far a checkpoint goes. https://www.sqlite.org/c3ref/wal_checkpoint_v2.html
  public enum CheckpointMode: Int32, Sendable {
    /// Moves as many pages as possible without waiting for other connections.
    case passive = 0
    /// Waits for writers and for readers of older states, so that all pages of the WAL are moved.
    case full = 1
    /// Like `full`, and waits for all readers of the WAL, so that the next write restarts the WAL.
    case restart = 2
    /// Like `restart`, and truncates the WAL to zero bytes.
    case truncate = 3
  }
}

extension Database {
  /// The result of a checkpoint.
  public struct CheckpointResult: Hashable, Sendable {
    /// The number of pages in the WAL; 0 after the WAL was truncated, and for a database without
    /// one.
    public let walFrameCount: Int
    /// The number of those pages that are now in the database file.
    public let checkpointedFrameCount: Int
    /// Whether a reader or a writer blocked the checkpoint until the timeout of
    /// ``Configuration/busyMode``, so that the checkpoint is incomplete.
    public let isBusy: Bool

    /// Whether all pages of the WAL are in the database file.
    public var isComplete: Bool { checkpointedFrameCount == walFrameCount }

    /// Creates a result, for example to test an instrument.
    public init(walFrameCount: Int, checkpointedFrameCount: Int, isBusy: Bool = false) {
      self.walFrameCount = walFrameCount
      self.checkpointedFrameCount = checkpointedFrameCount
      self.isBusy = isBusy
    }
  }
}

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
    // SQLite itself refuses it or not, depending on the statements of the transaction so far.
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

/// Lets only one connection of the process at a time checkpoint a file.
///
/// Before SQLite 3.51.3, two connections that checkpoint concurrently can corrupt the file.
/// https://www.sqlite.org/wal.html#walresetbug
final class CheckpointTurn: Sendable {
  private let semaphore = DispatchSemaphore(value: 1)

  /// Waits until no other connection checkpoints, then runs `body`.
  func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    semaphore.wait()
    defer { semaphore.signal() }
    return try body()
  }

  /// Runs `body`, or returns `nil` when another connection is checkpointing.
  func runIfFree<Result>(_ body: () throws -> Result) rethrows -> Result? {
    guard semaphore.wait(timeout: .now()) == .success else { return nil }
    defer { semaphore.signal() }
    return try body()
  }
}
