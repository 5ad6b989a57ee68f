internal import Dispatch
internal import WellspringPlatform

/// Closes the connections of a watched file shortly after their last use.
///
/// An open connection to a WAL file holds a shared lock on it. The lock keeps other processes from
/// leaving WAL mode, and from removing the WAL when they close. In all journal modes, a connection
/// that is opened again follows the path to a file that has replaced the old one.
final class IdleCloser: Sendable {
  private struct State {
    var isArmed = false
    var wasUsed = false
  }

  // Guards whether a timer runs, and whether the connections were used since it was started.
  private let state = Lock(State())
  private static let delay = 0.005

  /// Postpones the closing, because the connections have just been used.
  func touch(_ connections: ConnectionQueue) {
    let mustArm = state.withLock { state in
      state.wasUsed = true
      defer { state.isArmed = true }
      return !state.isArmed
    }
    if mustArm { arm(connections) }
  }

  private func arm(_ connections: ConnectionQueue) {
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.delay) { [weak connections] in
      if let connections { self.fire(connections) }
    }
  }

  private func fire(_ connections: ConnectionQueue) {
    let mustWait = state.withLock { state in
      defer { state.wasUsed = false }
      state.isArmed = state.wasUsed
      return state.wasUsed
    }
    if mustWait {
      arm(connections)
    } else {
      connections.closeIdle()
    }
  }
}
