internal import Dispatch
internal import WellspringSystem

/// Closes the connections of a watched WAL file shortly after their last use.
///
/// An open connection to a WAL file holds a shared lock on it. The lock keeps other processes from
/// leaving WAL mode, and from removing the WAL when they close. In the other journal modes, a
/// connection holds no lock between accesses, and stays open.
final class IdleCloser: Sendable {
  private struct State {
    var isArmed = false
    var wasUsed = false
  }

  private let file: FollowedFile
  /// Whether connections are also closed when the file has no WAL.
  private let closesWithoutWAL: Bool
  // Guards whether a timer runs, and whether the connections were used since it was started.
  private let state = Lock(State())
  private static let delay = 0.05

  init(_ file: FollowedFile, closesWithoutWAL: Bool = false) {
    self.file = file
    self.closesWithoutWAL = closesWithoutWAL
  }

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
    } else if closesWithoutWAL || FileStatus(path: file.path + "-wal") != nil {
      connections.closeIdle()
    }
  }
}
