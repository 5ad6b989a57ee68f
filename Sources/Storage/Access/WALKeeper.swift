internal import CWellspringSQLite
internal import Dispatch
internal import WellspringPlatform

/// Bounds the WAL of one file, for all pools of the process that are open on the file.
///
/// A checkpoint copies the WAL's pages into the database, but SQLite reuses the WAL from its start
/// only if a write comes at a moment when no connection reads from the WAL. When the WAL is too
/// long, the keeper holds back reads to make such a moment.
/// https://www.sqlite.org/wal.html#avoiding_excessively_large_wal_files
final class WALKeeper: Sendable {
  private struct State {
    var readers = WeakList<ConnectionQueue>()
    /// The labels of the open snapshots, by their connections.
    var snapshots: [ObjectIdentifier: String] = [:]
    /// Whether a reset runs or waits for the writer.
    var isResetting = false
    /// The length of the WAL at which to try again after a reset that failed.
    var retryPageCount = 0
  }

  /// Allows one connection at a time to checkpoint.
  let turn = CheckpointTurn()

  private let path: String
  // Guards what is open on the file. Connections are used outside it.
  private let state = Lock(State())

  /// The longest time that a reset waits for running reads, while new reads wait for the reset.
  private static let readerTimeout = DispatchTimeInterval.milliseconds(500)

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
    state.withLock { $0.snapshots[ObjectIdentifier(connection)] = connection.label }
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
    let connection = database.sqliteConnection
    // The database owns the hook.
    let hook = WALHook(on: connection, threshold: threshold) {
      [self, weak writers, unowned database] pageCount, threshold in
      database.hooks?.walHookDidFire()
      guard threshold > 0, pageCount >= threshold else { return }
      // While another connection checkpoints, the next commit tries again.
      _ = turn.runIfFree {
        sqlite3_wal_checkpoint_v2(connection, "main", SQLITE_CHECKPOINT_PASSIVE, nil, nil)
      }
      if pageCount >= limit, let writers { scheduleReset(writers, pageCount) }
    }
    database.walHook = hook
  }

  /// Resets the WAL in the next access to the writer.
  private func scheduleReset(_ writers: ConnectionQueue, _ pageCount: Int) {
    let isDue = state.withLock { state in
      // SQLite has restarted the WAL since the last attempt.
      if pageCount < state.retryPageCount / 2 { state.retryPageCount = 0 }
      guard !state.isResetting, pageCount >= state.retryPageCount else { return false }
      state.isResetting = true
      return true
    }
    guard isDue else { return }
    writers.submit(.write) { db in
      try self.reset(db)
    } completion: { result in
      self.state.withLock { $0.isResetting = false }
      if case .failure(let error) = result { ErrorLog.report(error, source: self.path) }
    }
  }

  /// Empties the WAL while no pool reads.
  private func reset(_ db: Database) throws {
    let queues = state.withLock { $0.readers }.entries.compactMap(\.object)
    try withBarriers(queues[...], deadline: .now() + Self.readerTimeout, []) { activeReaders in
      let result = try db.withoutWaiting { try db.checkpoint(.truncate) }
      let snapshots = state.withLock { state in
        state.retryPageCount = result.isBusy ? result.walFrameCount + result.walFrameCount / 4 : 0
        return state.snapshots.values.sorted()
      }
      guard result.isBusy else { return }
      var pins = snapshots.map { "the snapshot \"\($0)\"" }
      pins += activeReaders.map { "a read of the connection \"\($0)\"" }
      if pins.isEmpty { pins = ["another process, or a connection outside of all pools"] }
      ErrorLog.report(
        .SQLITE_WARNING,
        """
        the WAL of \(path) has \(result.walFrameCount) pages and keeps growing: it is held by \
        \(pins.joined(separator: ", "))
        """,
        source: path
      )
    }
  }

  /// Runs `body` behind barriers on all queues.
  ///
  /// - Parameters:
  ///   - queues: The queues that have no barrier yet.
  ///   - deadline: When to stop waiting for connections in use.
  ///   - active: The labels of the connections that were still in use at the deadline.
  ///   - body: Called with these labels.
  /// - Throws: What `body` throws.
  private func withBarriers(
    _ queues: ArraySlice<ConnectionQueue>,
    deadline: DispatchTime,
    _ active: [String],
    _ body: ([String]) throws -> Void
  ) throws {
    guard let queue = queues.first else { return try body(active) }
    try queue.withBarrier(deadline: deadline) { allReturned in
      let active = active + (allReturned ? [] : queue.labelsInUse)
      try withBarriers(queues.dropFirst(), deadline: deadline, active, body)
    }
  }
}

extension Database {
  /// Runs a closure whose statements fail immediately when another connection holds a lock.
  func withoutWaiting<Result>(_ body: () throws -> Result) rethrows -> Result {
    sqlite3_busy_handler(sqliteConnection, nil, nil)
    defer { busyHandler.install(on: sqliteConnection) }
    return try body()
  }
}
