internal import CWellspringSQLite
internal import Dispatch
internal import WellspringPlatform

/// Keeps the WAL of one file bounded, for all pools of the process that are open on it.
///
/// A checkpoint moves the WAL's pages into the database, but the WAL begins anew only when a write comes
/// at a moment at which nobody reads in it. So when it is too long, the keeper makes such a moment.
final class WALKeeper: Sendable {
  private struct State {
    var readers: [WeakQueue] = []
    /// The snapshots that are open, by their connection.
    var snapshots: [ObjectIdentifier: String] = [:]
    /// Whether a reset is under way or waits for the writer.
    var isResetting = false
    /// The length of the WAL from which a reset is tried again, after one that did not get through.
    var retryPageCount = 0
  }

  private struct WeakQueue {
    weak var queue: ConnectionQueue?
  }

  /// Whose turn it is to checkpoint.
  let turn = CheckpointTurn()

  private let path: String
  // Guards what is open on the file. Connections are used outside of it.
  private let state = Lock(State())

  /// How long new reads wait at most for those that run.
  private static let patience = DispatchTimeInterval.milliseconds(500)

  private init(path: String) {
    self.path = path
  }

  // MARK: The registry

  private struct WeakKeeper {
    weak var keeper: WALKeeper?
  }

  // Guards the keepers of all files that are open.
  private static let keepers = Lock<[FileStatus.Identity: WeakKeeper]>([:])

  /// The keeper of the file at `path`; `nil` for what is no file.
  static func shared(path: String?) -> WALKeeper? {
    guard let path, let identity = FileStatus(path: path)?.identity else { return nil }
    return keepers.withLock { keepers in
      if let known = keepers[identity]?.keeper { return known }
      keepers = keepers.filter { $0.value.keeper != nil }
      let keeper = WALKeeper(path: path)
      keepers[identity] = WeakKeeper(keeper: keeper)
      return keeper
    }
  }

  // MARK: Who is there

  /// The connections of this queue read the file.
  func add(_ readers: ConnectionQueue) {
    state.withLock { state in
      state.readers.removeAll { $0.queue == nil }
      state.readers.append(WeakQueue(queue: readers))
    }
  }

  /// A snapshot with this name is open, for as long as its connection is.
  func addSnapshot(_ connection: Connection) {
    state.withLock { $0.snapshots[ObjectIdentifier(connection)] = connection.label }
  }

  /// A snapshot is over.
  func removeSnapshot(_ id: ObjectIdentifier) {
    state.withLock { $0.snapshots[id] = nil }
  }

  // MARK: Commits

  /// Lets the connection of `writers` checkpoint in its turn, and keep the WAL shorter than `limit`
  /// pages.
  func serve(_ database: Database, _ writers: ConnectionQueue, limit: Int) {
    database.checkpointing = turn
    // What the closures of the configuration have set.
    database.beginAccess(.read)
    let threshold = (try? database.walAutoCheckpoint()) ?? 0
    database.endAccess()
    let connection = database.sqliteConnection
    // The database owns the hook.
    let hook = WALHook(threshold: threshold) {
      [self, weak writers, unowned database] pageCount, threshold in
      database.hooks?.walCommitDidEnd()
      guard threshold > 0, pageCount >= threshold else { return }
      // While another connection has its turn, the next commit will do.
      _ = turn.runIfFree {
        sqlite3_wal_checkpoint_v2(connection, "main", SQLITE_CHECKPOINT_PASSIVE, nil, nil)
      }
      if pageCount >= limit, let writers { scheduleReset(writers, pageCount) }
    }
    hook.install(on: connection)
    database.walHook = hook
  }

  /// Resets the WAL in the next access to the writer.
  private func scheduleReset(_ writers: ConnectionQueue, _ pageCount: Int) {
    let isDue = state.withLock { state in
      // It has begun anew by itself since.
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
      if case .failure(let error) = result { ErrorLog.report(error) }
    }
  }

  /// Empties the WAL while nobody reads.
  private func reset(_ db: Database) throws {
    let queues = state.withLock { $0.readers.compactMap(\.queue) }
    try withBarriers(queues[...], deadline: .now() + Self.patience, []) { readersLeft in
      let result = try db.withoutWaiting { try db.checkpoint(.truncate) }
      let snapshots = state.withLock { state in
        state.retryPageCount = result.isBusy ? result.walFrameCount + result.walFrameCount / 4 : 0
        return state.snapshots.values.sorted()
      }
      guard result.isBusy else { return }
      var pins = snapshots.map { "the snapshot \"\($0)\"" }
      pins += readersLeft.map { "a read of the connection \"\($0)\"" }
      if pins.isEmpty { pins = ["another process, or a connection that is not of a pool"] }
      ErrorLog.report(
        .SQLITE_WARNING,
        """
        the WAL of \(path) has \(result.walFrameCount) pages and goes on to grow: it is held by \
        \(pins.joined(separator: ", "))
        """
      )
    }
  }

  /// Runs `body` while no connection of the queues is in use, and tells it those that are nevertheless.
  private func withBarriers(
    _ queues: ArraySlice<ConnectionQueue>,
    deadline: DispatchTime,
    _ left: [String],
    _ body: ([String]) throws -> Void
  ) throws {
    guard let queue = queues.first else { return try body(left) }
    try queue.withBarrier(deadline: deadline) { allReturned in
      let left = left + (allReturned ? [] : queue.labelsInUse)
      try withBarriers(queues.dropFirst(), deadline: deadline, left, body)
    }
  }
}

extension Database {
  /// Runs a closure whose statements fail at once where a lock is held by others.
  func withoutWaiting<Result>(_ body: () throws -> Result) rethrows -> Result {
    sqlite3_busy_handler(sqliteConnection, nil, nil)
    defer { busyHandler.install(on: sqliteConnection) }
    return try body()
  }
}
