internal import Dispatch
internal import WellspringSystem

/// The end of a running command. Only the first reason counts.
final class Ending: Sendable {
  /// The reason why the command ends.
  enum Reason: Equatable {
    /// The command is complete, the user has ended it, or the reader of its output closed it.
    case requested
    /// A signal asks the command to end.
    case interrupted
    /// The command is complete, and has reported a failure.
    case reportedFailure
    /// The command cannot continue, for the reason in the message.
    case failed(String)
  }

  // Guards why the command ends.
  private let reason = Lock<Reason?>(nil)
  /// Signalled when there is a reason.
  private let decision = DispatchSemaphore(value: 0)

  /// Ends the command, unless it has ended already.
  func end(_ newReason: Reason) {
    let isFirst = reason.withLock { reason in
      guard reason == nil else { return false }
      reason = newReason
      return true
    }
    guard isFirst else { return }
    LockWaiting.shared.end()
    RunningCommand.shared.endWithProcess()
    decision.signal()
  }

  /// Whether the user or the system has asked the command to end by now.
  var isRequested: Bool { reason.withLock { $0 == .requested || $0 == .interrupted } }

  /// Whether the command ends.
  var hasEnded: Bool { reason.withLock { $0 != nil } }

  /// Waits for the end.
  ///
  /// - Parameter deadline: When to stop waiting.
  /// - Returns: The reason, or `nil` when the deadline came first.
  func wait(until deadline: DispatchTime) -> Reason? {
    guard decision.wait(timeout: deadline) == .success else { return nil }
    // Wake the next waiter, too.
    decision.signal()
    return reason.withLock { $0 }
  }
}
