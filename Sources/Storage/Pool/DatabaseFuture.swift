internal import Dispatch
internal import WellspringSystem

/// The value that a concurrent read will return: see ``DatabasePool/concurrentRead(_:)``.
public final class DatabaseFuture<Value: Sendable>: Sendable {
  private enum State {
    case waiting([DispatchSemaphore])
    case done(Result<Value, any Error>)
  }

  // Guards the result and the waiters.
  private let state = Lock(State.waiting([]))

  init() {}

  func fulfill(_ result: Result<Value, any Error>) {
    let waiters = state.withLock { state -> [DispatchSemaphore] in
      guard case .waiting(let waiters) = state else { return [] }
      state = .done(result)
      return waiters
    }
    for waiter in waiters { waiter.signal() }
  }

  /// Blocks the calling thread until the read has ended, and returns its value.
  ///
  /// - Throws: The errors of the read.
  public func wait() throws -> Value {
    let semaphore = DispatchSemaphore(value: 0)
    let mustWait = state.withLock { state in
      guard case .waiting(let waiters) = state else { return false }
      state = .waiting(waiters + [semaphore])
      return true
    }
    if mustWait { semaphore.wait() }
    guard case .done(let result) = state.withLock({ $0 }) else {
      preconditionFailure("A waiter was called without a result.")
    }
    return try result.get()
  }
}

extension DatabaseWriter {
  /// Writes without a transaction, for code that is not async.
  ///
  ///     pool.asyncWriteWithoutTransaction { db in
  ///       do {
  ///         try db.execute(sql: "DELETE FROM attachment WHERE done")
  ///       } catch {
  ///         report(error)
  ///       }
  ///     }
  ///
  /// - Parameter updates: Called on another thread with the connection. A transaction that it
  ///   leaves open is rolled back. When the database is closed, all statements fail with
  ///   ``DatabaseError/databaseIsClosed``.
  public func asyncWriteWithoutTransaction(
    _ updates: @escaping @Sendable (Database) -> Void
  ) {
    asyncWriteWithoutTransaction { (result: Result<Database, any Error>) in
      switch result {
      case .success(let db): updates(db)
      case .failure(let error): Database.withRefusingDatabase(error, updates)
      }
    }
  }
}
