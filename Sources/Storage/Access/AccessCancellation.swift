internal import CWellspringSQLite
internal import WellspringPlatform

/// Carries the cancellation of a task to the one access that the task waits for, and to no other.
final class AccessCancellation: Sendable {
  private enum State {
    /// Not begun. When cancelled, the closure gives up the place in the queue.
    case waiting(giveUp: (@Sendable () -> Void)?)
    /// SQL may be running on the connection.
    case running(Connection)
    /// Beyond the point of no return: committing, or over.
    case finished
    case cancelled
  }

  // Guards the state, and the connection against an interrupt that comes after the access.
  private let state = Lock(State.waiting(giveUp: nil))

  /// The task was cancelled.
  func cancel() {
    let giveUp = state.withLock { state -> (@Sendable () -> Void)? in
      switch state {
      case .waiting(let giveUp):
        state = .cancelled
        return giveUp
      case .running(let connection):
        // The state stays: the access itself finds out, and throws.
        connection.database.cancellation.setRequested(true)
        sqlite3_interrupt(connection.database.sqliteConnection)
        return nil
      case .finished, .cancelled:
        return nil
      }
    }
    giveUp?()
  }

  /// Registers how to leave the queue.
  ///
  /// - Returns: `false` when the task is cancelled already.
  func wait(giveUp: @escaping @Sendable () -> Void) -> Bool {
    state.withLock { state in
      switch state {
      case .waiting: state = .waiting(giveUp: giveUp)
      // It was served before it could say how to leave.
      case .running, .finished: break
      case .cancelled: return false
      }
      return true
    }
  }

  /// The access begins.
  ///
  /// - Returns: `false` when the task is cancelled already.
  func begin(_ connection: Connection) -> Bool {
    state.withLock { state in
      if case .cancelled = state { return false }
      state = .running(connection)
      return true
    }
  }

  /// From now on the access cannot be cancelled.
  ///
  /// - Throws: `CancellationError` when it has been.
  func finish() throws {
    let isCancelled = state.withLock { state -> Bool in
      guard case .running(let connection) = state else { return false }
      state = .finished
      let cancellation = connection.database.cancellation
      defer { cancellation.setRequested(false) }
      return cancellation.isRequested
    }
    if isCancelled { throw CancellationError() }
  }
}
