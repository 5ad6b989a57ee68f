internal import Dispatch
internal import WellspringSystem

extension ConnectionQueue {
  /// The connection that an access of async code waits for, or the failure.
  enum TaskGrant: Sendable {
    case connection(PooledConnection)
    case failure(any Error)
  }

  // Runs the jobs of accesses that get no connection. Other threads of Dispatch may all be blocked.
  private static let refusals = DispatchQueue(label: "wellspring.refusals")

  /// Runs `body` with a connection, as a part of the calling task, on the connection's own dispatch
  /// queue.
  ///
  /// Cancelling the task removes the access from the queue, or stops it.
  func access<Result: Sendable>(
    _ kind: Database.Access,
    _ cancellation: AccessCancellation,
    _ body: @escaping @Sendable (Database) throws -> Result
  ) async throws -> Result {
    guard process.isCurrent else { throw DatabaseError.usedAfterFork }
    let executor = AccessExecutor(self, cancellation)
    return try await withTaskCancellationHandler {
      try await withTaskExecutorPreference(executor, isolation: nil) {
        try executor.run(kind, body)
      }
    } onCancel: {
      cancellation.cancel()
    }
  }

  /// Runs `body` with a connection, in a new task that has the local values and the priority of the
  /// calling one. Accesses are served in the order of the calls.
  ///
  /// The completion is called once, on any thread.
  func submitTask<Result: Sendable>(
    _ kind: Database.Access,
    _ body: @escaping @Sendable (Database) throws -> Result,
    completion: @escaping @Sendable (Swift.Result<Result, any Error>) -> Void
  ) {
    guard process.isCurrent else { return completion(.failure(DatabaseError.usedAfterFork)) }
    let executor = AccessExecutor(self, AccessCancellation())
    // The task is enqueued by this call.
    Task(executorPreference: executor) {
      completion(Swift.Result { try executor.run(kind, body) })
    }
  }

  /// Runs `body` with a connection, for code of this library that belongs to no task.
  ///
  /// The completion is called once, on any thread.
  func submit<Result: Sendable>(
    _ kind: Database.Access,
    _ cancellation: AccessCancellation = AccessCancellation(),
    _ body: @escaping @Sendable (Database) throws -> Result,
    completion: @escaping @Sendable (Swift.Result<Result, any Error>) -> Void
  ) {
    guard process.isCurrent else { return completion(.failure(DatabaseError.usedAfterFork)) }
    wait(cancellation) { grant in
      switch grant {
      case .connection(let connection):
        completion(Swift.Result { try self.run(kind, connection, cancellation, body) })
      case .failure(let error): completion(.failure(error))
      }
    }
  }

  /// Calls `run` when a connection is free, on the dispatch queue of that connection. When no
  /// connection can be lent, calls it on another queue.
  func wait(_ cancellation: AccessCancellation, _ run: @escaping @Sendable (TaskGrant) -> Void) {
    let take: Waiter = { self.take($0, run) }
    let decision = state.withLock { $0.lend(take) }
    switch decision {
    case .use(let connection):
      take(.connection(connection))
    case .open:
      take(.mustOpen)
    case .fail:
      take(.closed)
    case .wait(let id):
      let isWaiting = cancellation.wait { self.giveUp(id) }
      if !isWaiting { giveUp(id) }
    }
  }

  private func giveUp(_ id: UInt64) {
    let waiter = state.withLock { $0.machine.cancel(id) }
    waiter?(.cancelled)
  }

  private func take(_ grant: Grant, _ run: @escaping @Sendable (TaskGrant) -> Void) {
    switch grant {
    case .cancelled:
      Self.refusals.async { run(.failure(CancellationError())) }
    case .closed, .allReturned:
      let error = refusal
      Self.refusals.async { run(.failure(error)) }
    case .mustOpen:
      // Opening blocks too.
      DispatchQueue.global().async {
        do {
          self.take(.connection(try self.openConnection()), run)
        } catch {
          run(.failure(error))
        }
      }
    case .connection(let connection):
      connection.queue.async { run(.connection(connection)) }
    }
  }

  /// Runs `body` with a connection that was lent, and takes the connection back.
  func run<Result>(
    _ kind: Database.Access,
    _ connection: PooledConnection,
    _ cancellation: AccessCancellation,
    _ body: (Database) throws -> Result
  ) throws -> Result {
    defer { release(connection) }
    guard cancellation.begin(connection) else { throw CancellationError() }
    return try connection.access(kind) { db in
      // A finished result is returned: a cancellation after the end of `body` has no effect.
      defer { cancellation.end() }
      return try body(db)
    }
  }
}
