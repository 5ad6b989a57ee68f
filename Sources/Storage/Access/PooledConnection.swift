internal import Dispatch
internal import Synchronization
internal import WellspringPlatform

/// A ``Database`` that is handed from access to access.
final class Connection: @unchecked Sendable {
  // Safe to share: `database` is used by the holder of the connection only, and a `ConnectionQueue`
  // gives it to one holder at a time.
  let database: Database

  /// A name for reports.
  let label: String

  /// Runs the accesses of async code: SQLite blocks, and Swift's cooperative threads must not.
  let queue: DispatchQueue

  /// The thread of the running access, 0 when there is none.
  private let thread = Atomic<UInt>(0)

  init(_ database: Database, label: String) {
    self.database = database
    self.label = label
    let configuration = database.configuration
    queue = DispatchQueue(
      label: label,
      qos: configuration.qos,
      target: configuration.targetQueue
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
