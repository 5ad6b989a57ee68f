internal import Dispatch
internal import Synchronization
internal import WellspringPlatform

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

  /// Runs an access on the calling thread.
  func access<Result>(
    _ access: Database.Access,
    _ body: (Database) throws -> Result
  ) rethrows -> Result {
    thread.store(CurrentThread.id, ordering: .relaxed)
    ThreadScope.blocking.enter()
    database.beginAccess(access)
    defer {
      database.endAccess()
      ThreadScope.blocking.leave()
      thread.store(0, ordering: .relaxed)
    }
    return try body(database)
  }
}
