internal import CWellspringSQLite
internal import WellspringSystem

/// Cancels one access when the task that waits for it is cancelled. It never affects another
/// access.
final class AccessCancellation: Sendable {
  private enum State {
    /// The access has not begun. On cancellation, the closure removes it from the queue.
    case waiting(giveUp: (@Sendable () -> Void)?)
    /// The access runs on the connection, which may be executing SQL.
    case running(PooledConnection)
    /// The access can no longer be cancelled: it is committing, or has ended.
    case finished
    case cancelled
  }

  // Guards whether the access waits, runs, or was cancelled. The connection is interrupted under
  // the lock too, so that an interrupt cannot hit the next access.
  private let state = Lock(State.waiting(giveUp: nil))

  /// Cancels the access: removes it from the queue, or interrupts its SQL.
  func cancel() {
    let giveUp = state.withLock { state -> (@Sendable () -> Void)? in
      switch state {
      case .waiting(let giveUp):
        state = .cancelled
        return giveUp
      case .running(let connection):
        // The state stays `running`: the access itself notices the request, and throws.
        connection.database.cancellation.set(.cancelled)
        sqlite3_interrupt(connection.database.sqliteConnection)
        return nil
      case .finished, .cancelled:
        return nil
      }
    }
    giveUp?()
  }

  /// Registers how the access leaves the queue.
  ///
  /// - Returns: `false` when the task is already cancelled.
  func wait(giveUp: @escaping @Sendable () -> Void) -> Bool {
    state.withLock { state in
      switch state {
      case .waiting: state = .waiting(giveUp: giveUp)
      // Another thread served the access before it could register.
      case .running, .finished: break
      case .cancelled: return false
      }
      return true
    }
  }

  /// Marks the access as running on a connection.
  ///
  /// - Returns: `false` when the task is already cancelled.
  func begin(_ connection: PooledConnection) -> Bool {
    state.withLock { state in
      if case .cancelled = state { return false }
      state = .running(connection)
      return true
    }
  }

  /// Marks the access as beyond cancellation.
  ///
  /// - Throws: The error of the cancellation, when the access was cancelled before.
  func finish() throws {
    if let error = end() { throw error }
  }

  /// Marks the access as beyond cancellation, and withdraws a cancellation that has come too late.
  ///
  /// - Returns: The error of the cancellation, when the access was cancelled before.
  @discardableResult
  func end() -> (any Error)? {
    state.withLock { state -> (any Error)? in
      guard case .running(let connection) = state else { return nil }
      state = .finished
      let cancellation = connection.database.cancellation
      defer { cancellation.set(.none) }
      return cancellation.request.error
    }
  }
}
