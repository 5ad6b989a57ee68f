internal import Dispatch
internal import WellspringSystem

/// Bounds the WAL of one file, for all pools of the process that are open on the file.
///
/// A checkpoint copies the WAL's pages into the database, but SQLite reuses the WAL from its start
/// only if a write comes at a moment when no connection reads from the WAL. When the WAL is too
/// long, the keeper holds back reads to make such a moment.
/// https://www.sqlite.org/wal.html#avoiding_excessively_large_wal_files
final class WALKeeper: Sendable {
  private struct State {
    var readers = WeakList<ConnectionQueue>()
    /// The labels of the open snapshots, and when they were made, by their connections.
    var snapshots: [ObjectIdentifier: (label: String, start: UInt64)] = [:]
    /// Whether a reset runs or waits for the writer.
    var isResetting = false
    /// The length of the WAL at which to try again after a reset that failed.
    var retryPageCount = 0
  }

  /// Allows one connection at a time to checkpoint.
  let turn = CheckpointTurn()

  private let path: String
  // Guards the readers and the open snapshots of the file. Connections are used outside it.
  private let state = Lock(State())

  /// The longest time that a reset waits for running reads, while new reads wait for the reset.
  static let readerTimeout = DispatchTimeInterval.milliseconds(500)

  init(path: String) {
    self.path = path
  }

  // MARK: Readers and snapshots

  /// Registers a queue whose connections read the file.
  func add(_ readers: ConnectionQueue) {
    let known = state.withLock { state in
      state.readers.append { [weak readers] in readers }
      return state.readers
    }
    let dead = known.dead
    if !dead.isEmpty { state.withLock { $0.readers.remove(dead) } }
  }

  /// Registers the connection of a snapshot. Its label names it in reports.
  func addSnapshot(_ connection: PooledConnection) {
    let start = MonotonicClock.now
    state.withLock { $0.snapshots[ObjectIdentifier(connection)] = (connection.label, start) }
  }

  /// The snapshot that was made first, and when; `nil` when no snapshot is open.
  var oldestSnapshot: (label: String, start: UInt64)? {
    state.withLock { $0.snapshots.values.min { $0.start < $1.start } }
  }

  /// Removes the connection of a snapshot that was closed.
  func removeSnapshot(_ id: ObjectIdentifier) {
    state.withLock { $0.snapshots[id] = nil }
  }

  // MARK: Commits

  /// Installs a WAL hook that runs checkpoints, and resets the WAL when it has `limit` pages.
  func serve(_ database: Database, _ writers: ConnectionQueue, limit: Int) {
    database.checkpointing = turn
    // The closures of the configuration may have set it.
    database.beginAccess(.read)
    let threshold = (try? database.walAutoCheckpoint()) ?? 0
    database.endAccess()
    // The database owns the hook.
    let hook = WALHook(on: database.sqliteConnection, threshold: threshold) {
      [self, weak writers, unowned database] pageCount, threshold in
      database.hooks?.walHookDidFire()
      guard threshold > 0, pageCount >= threshold else { return }
      // While another connection checkpoints, the next commit tries again.
      _ = turn.runIfFree { database.checkpointAutomatically() }
      if pageCount >= limit, let writers { scheduleReset(writers, pageCount, limit) }
    }
    database.walHook = hook
  }

  /// Resets the WAL in the next access to the writer.
  private func scheduleReset(_ writers: ConnectionQueue, _ pageCount: Int, _ limit: Int) {
    let isDue = state.withLock { state in
      // SQLite has restarted the WAL since the last attempt.
      if pageCount < state.retryPageCount / 2 { state.retryPageCount = 0 }
      guard !state.isResetting, pageCount >= state.retryPageCount else { return false }
      state.isResetting = true
      return true
    }
    guard isDue else { return }
    writers.submit(.write) { db in
      let holders = try self.reset(db)
      guard let instrumentation = db.instrumentation else { return }
      instrumentation.record(
        .walOverLimit(
          DatabaseActivity.WALOverLimit(pageCount: pageCount, limit: limit, holders: holders)
        )
      )
    } completion: { result in
      self.state.withLock { $0.isResetting = false }
      if case .failure(let error) = result { ErrorLog.report(error, source: self.path) }
    }
  }

  /// Empties the WAL while no pool reads, and reports the holders that prevent it.
  ///
  /// - Returns: The holders that have prevented it.
  private func reset(_ db: Database) throws -> [String] {
    let (result, holders) = try empty(db, until: .now() + Self.readerTimeout)
    state.withLock {
      $0.retryPageCount = result.isBusy ? result.walFrameCount + result.walFrameCount / 4 : 0
    }
    guard result.isBusy else { return [] }
    let cause = "it is held by \(holders.joined(separator: ", "))"
    ErrorLog.report(
      DatabaseError(
        resultCode: .SQLITE_WARNING,
        message: """
          the WAL of \(path) has \(result.walFrameCount) pages and keeps growing: \(cause)
          """
      ),
      source: path,
      // The length differs each time.
      text: cause
    )
    return holders
  }

  /// Empties the WAL while no pool reads.
  ///
  /// - Parameters:
  ///   - db: The connection that writes.
  ///   - deadline: When to stop waiting for running reads.
  /// - Returns: How far the checkpoint got, and the holders that have prevented it from finishing.
  /// - Throws: ``DatabaseError``.
  @discardableResult
  func empty(
    _ db: Database,
    until deadline: DispatchTime
  ) throws -> (result: Database.CheckpointResult, holders: [String]) {
    let queues = state.withLock { $0.readers }.entries.compactMap(\.object)
    return try withBarriers(queues[...], deadline: deadline, []) { active in
      let result = try db.withoutWaiting { try db.checkpoint(.truncate) }
      guard result.isBusy else { return (result, []) }
      let snapshots = state.withLock { $0.snapshots.values.map(\.label).sorted() }
      var holders = snapshots.map { "the snapshot \"\($0)\"" }
      holders += active.map { "a read of the connection \"\($0)\"" }
      if holders.isEmpty { holders = ["another process, or a connection outside of all pools"] }
      return (result, holders)
    }
  }

  /// Runs `body` behind barriers on all queues.
  ///
  /// - Parameters:
  ///   - queues: The queues that have no barrier yet.
  ///   - deadline: When to stop waiting for connections in use.
  ///   - active: The labels of the connections that were still in use at the deadline.
  ///   - body: Called with these labels.
  /// - Returns: The result of `body`.
  /// - Throws: The errors of `body`.
  private func withBarriers<Result>(
    _ queues: ArraySlice<ConnectionQueue>,
    deadline: DispatchTime,
    _ active: [String],
    _ body: ([String]) throws -> Result
  ) throws -> Result {
    guard let queue = queues.first else { return try body(active) }
    return try queue.withBarrier(deadline: deadline) { allReturned in
      let active = active + (allReturned ? [] : queue.labelsInUse)
      return try withBarriers(queues.dropFirst(), deadline: deadline, active, body)
    }
  }
}
