internal import Dispatch
internal import Foundation

/// How a running command ends: the first reason counts.
final class Ending: @unchecked Sendable {
  // Safe to share: `reason` is read and written while `lock` is locked only.

  /// Why the command ends.
  enum Reason: Equatable {
    /// It was asked to end, or nobody reads its output any more.
    case asked
    /// It cannot go on, and this says why.
    case failed(String)
  }

  private let lock = NSLock()
  private var reason: Reason?
  /// Is signalled once there is a reason.
  private let decision = DispatchSemaphore(value: 0)

  /// Ends the command, unless it is ending already.
  func end(_ newReason: Reason) {
    let isFirst = lock.withLock {
      guard reason == nil else { return false }
      reason = newReason
      return true
    }
    if isFirst { decision.signal() }
  }

  /// Waits for the end.
  ///
  /// - Parameter deadline: When to stop waiting.
  /// - Returns: The reason, or `nil` when the deadline came first.
  func wait(until deadline: DispatchTime) -> Reason? {
    guard decision.wait(timeout: deadline) == .success else { return nil }
    // For the next one who waits.
    decision.signal()
    return lock.withLock { reason }
  }
}
