internal import Glibc
internal import WellspringSystem

/// Waiting for files that other processes have locked: without a limit, and with a message.
final class LockWaiting: Sendable {
  /// The waiting of this process.
  static let shared = LockWaiting()

  private struct State {
    var hasEnded = false
    var report: @Sendable (String) -> Void = { Tool.complain($0) }
  }

  // Guards the reaction to a lock.
  private let state = Lock(State())

  /// The number of tries before the message: about a second.
  private static let quietTries = 20

  /// Makes messages go elsewhere than to standard error.
  func report(to report: @escaping @Sendable (String) -> Void) {
    state.withLock { $0.report = report }
  }

  /// Ends all waiting, because the process ends.
  func end() { state.withLock { $0.hasEnded = true } }

  /// Waits a moment for a lock.
  ///
  /// - Returns: Whether to try again.
  func wait(for path: String, tries: Int) -> Bool {
    let report = state.withLock { $0.hasEnded ? nil : $0.report }
    guard let report else { return false }
    if tries == Self.quietTries {
      report("waiting for \(path), which another process has locked")
    }
    usleep(50_000)
    return true
  }
}
