internal import Foundation
internal import Glibc

/// Waiting for files that other processes have locked: without a limit, and with a message.
final class LockWaiting: Sendable {
  /// The waiting of this process.
  static let shared = LockWaiting()

  private struct State {
    var hasEnded = false
    var report: @Sendable (String) -> Void = { Tool.complain($0) }
  }

  private let lock = NSLock()
  // Only accessed while `lock` is held.
  nonisolated(unsafe) private var state = State()

  /// The number of tries before the message: about a second.
  private static let quietTries = 20

  /// Makes messages go elsewhere than to standard error.
  func report(to report: @escaping @Sendable (String) -> Void) {
    lock.withLock { state.report = report }
  }

  /// Ends all waiting, because the process ends.
  func end() { lock.withLock { state.hasEnded = true } }

  /// Waits a moment for a lock.
  ///
  /// - Returns: Whether to try again.
  func wait(for path: String, tries: Int) -> Bool {
    let report = lock.withLock { state.hasEnded ? nil : state.report }
    guard let report else { return false }
    if tries == Self.quietTries {
      report("waiting for \(path), which another process has locked")
    }
    usleep(50_000)
    return true
  }
}
