internal import CWellspringSQLite
internal import Dispatch
internal import WellspringPlatform

extension ConnectionQueue {
  /// Runs `body` with a connection, on the connection's own dispatch queue.
  ///
  /// Cancelling the task removes the access from the queue, or stops it.
  func access<Result: Sendable>(
    _ kind: Database.Access,
    _ cancellation: AccessCancellation,
    _ body: @escaping @Sendable (Database) throws -> Result
  ) async throws -> Result {
    try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { continuation in
        submit(kind, cancellation, body) { continuation.resume(with: $0) }
      }
    } onCancel: {
      cancellation.cancel()
    }
  }

  /// Runs `body` with a connection, for code that is not async.
  ///
  /// The completion is called once, on any thread.
  func submit<Result: Sendable>(
    _ kind: Database.Access,
    _ cancellation: AccessCancellation = AccessCancellation(),
    _ body: @escaping @Sendable (Database) throws -> Result,
    completion: @escaping @Sendable (Swift.Result<Result, any Error>) -> Void
  ) {
    guard process.isCurrent else { return completion(.failure(DatabaseError.usedAfterFork)) }
    let run: Waiter = { self.run(kind, $0, cancellation, body, completion) }
    let decision = state.withLock { $0.lend(run) }
    switch decision {
    case .use(let connection):
      run(.connection(connection))
    case .open:
      run(.mustOpen)
    case .fail:
      run(.closed)
    case .wait(let id):
      let isWaiting = cancellation.wait { self.giveUp(id) }
      if !isWaiting { giveUp(id) }
    }
  }

  private func giveUp(_ id: UInt64) {
    let waiter = state.withLock { $0.machine.cancel(id) }
    waiter?(.cancelled)
  }

  private func run<Result: Sendable>(
    _ kind: Database.Access,
    _ grant: Grant,
    _ cancellation: AccessCancellation,
    _ body: @escaping @Sendable (Database) throws -> Result,
    _ completion: @escaping @Sendable (Swift.Result<Result, any Error>) -> Void
  ) {
    switch grant {
    case .cancelled:
      completion(.failure(CancellationError()))
    case .closed, .allReturned:
      completion(.failure(refusal))
    case .mustOpen:
      // Opening blocks too.
      DispatchQueue.global().async {
        do {
          let connection = try self.openConnection()
          self.run(kind, .connection(connection), cancellation, body, completion)
        } catch {
          completion(.failure(error))
        }
      }
    case .connection(let connection):
      connection.queue.async {
        let result = Swift.Result {
          guard cancellation.begin(connection) else { throw CancellationError() }
          return try connection.access(kind) { db in
            // What is done is returned: a cancellation after the end of `body` has no effect.
            defer { cancellation.end() }
            return try body(db)
          }
        }
        self.release(connection)
        completion(result)
      }
    }
  }
}
