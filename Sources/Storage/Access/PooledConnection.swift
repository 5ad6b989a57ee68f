internal import Dispatch
internal import Synchronization
internal import WellspringSystem

/// A ``Database`` that a ``ConnectionQueue`` lends to one access after the other.
final class PooledConnection: @unchecked Sendable {
  // Safe to share: only the holder of the connection uses `database`, and a `ConnectionQueue` lends
  // the connection to one holder at a time.
  let database: Database

  /// The name of the connection in reports.
  let label: String

  /// Runs the accesses of async code, which must not block Swift's cooperative threads.
  let queue: DispatchQueue

  /// The thread of the running access; 0 when no access runs.
  private let thread = Atomic<UInt>(0)

  /// When the running access began, in nanoseconds of ``MonotonicClock/recent``; odd for a write.
  private let start = Atomic<UInt64>(0)

  init(_ database: Database, label: String) {
    self.database = database
    self.label = label
    let configuration = database.configuration
    queue = DispatchQueue(
      label: label,
      qos: configuration.qos,
      target: database.role == .writer
        ? configuration.writeTargetQueue ?? configuration.targetQueue : configuration.targetQueue
    )
  }

  /// Whether the calling thread is in an access to this connection.
  var isUsedByCurrentThread: Bool { thread.load(ordering: .relaxed) == CurrentThread.id }

  /// When the running access began; `nil` when no access of this kind runs.
  func start(of access: Database.Access) -> UInt64? {
    let start = start.load(ordering: .relaxed)
    return start != 0 && (start & 1 == 1) == (access == .write) ? start : nil
  }

  /// Runs an access on the calling thread.
  func access<Result>(
    _ access: Database.Access,
    _ body: (Database) throws -> Result
  ) rethrows -> Result {
    thread.store(CurrentThread.id, ordering: .relaxed)
    let now = MonotonicClock.recent
    start.store(access == .write ? now | 1 : now & ~1, ordering: .relaxed)
    ThreadScope.blocking.enter()
    database.beginAccess(access)
    defer {
      database.endAccess()
      ThreadScope.blocking.leave()
      start.store(0, ordering: .relaxed)
      thread.store(0, ordering: .relaxed)
    }
    return try body(database)
  }

  /// Runs a part of the running access on the calling thread, while the thread of the access waits.
  func lend<Result>(_ body: (Database) throws -> Result) rethrows -> Result {
    let holder = thread.load(ordering: .relaxed)
    let outer = database.accessThread
    thread.store(CurrentThread.id, ordering: .relaxed)
    database.accessThread = CurrentThread.id
    ThreadScope.blocking.enter()
    defer {
      ThreadScope.blocking.leave()
      database.accessThread = outer
      thread.store(holder, ordering: .relaxed)
    }
    return try body(database)
  }
}
