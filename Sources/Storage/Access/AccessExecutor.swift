internal import WellspringSystem

/// Runs the closure of one access as a part of the task that waits for it, on the dispatch queue of
/// the connection that the access gets.
///
/// The task prefers this executor while the closure runs. So the closure has the task's local
/// values, its priority and its cancellation. SQLite blocks a thread of Dispatch, not one of
/// Swift's cooperative threads. Nor does the task need such a thread between its place in the queue
/// and the closure: all these threads may be blocked by sync accesses that wait for the connection.
final class AccessExecutor: TaskExecutor {
  private let connections: ConnectionQueue
  private let cancellation: AccessCancellation
  // Guards the outcome of waiting for a connection; `nil` before it is known, and after it is used.
  private let grant = Lock(ConnectionQueue.TaskGrant?.none)

  init(_ connections: ConnectionQueue, _ cancellation: AccessCancellation) {
    self.connections = connections
    self.cancellation = cancellation
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    connections.wait(cancellation) { grant in
      self.grant.withLock { $0 = grant }
      job.runSynchronously(on: self.asUnownedTaskExecutor())
      // A job that does not run the closure must not keep the connection.
      guard case .connection(let connection) = self.takeGrant() else { return }
      self.connections.release(connection)
    }
  }

  private func takeGrant() -> ConnectionQueue.TaskGrant? {
    grant.withLock { grant in
      defer { grant = nil }
      return grant
    }
  }

  /// Runs the closure of the access, in a job of this executor.
  ///
  /// - Throws: The errors of `body`, or why no connection is available.
  func run<Result>(
    _ kind: Database.Access,
    _ body: (Database) throws -> Result
  ) throws -> Result {
    switch takeGrant() {
    case .connection(let connection):
      return try connections.run(kind, connection, cancellation, body)
    case .failure(let error): throw error
    // The closure does not run in a job of this executor, which Swift does not do so far.
    case nil: return try connections.access(kind, body)
    }
  }
}
