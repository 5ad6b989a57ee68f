internal import Dispatch
internal import WellspringSystem

/// The primacy of a node, if it has one. One thread at a time uses it, and waits for the log.
final class PrimacyTurn: @unchecked Sendable {
  // Safe to share: only the holder of the turn uses `primacy`. It is not a lock, because the holder
  // makes calls of the log.
  private let turn = DispatchSemaphore(value: 1)
  private var primacy: Primacy?
  // Guards whether the primacy is to end before it is used again.
  private let isRevoked = Lock(false)

  /// Uses the primacy when no other thread does.
  func use<Result>(_ body: (inout Primacy?) throws -> Result) rethrows -> Result {
    turn.wait()
    defer { turn.signal() }
    let mustEnd = isRevoked.withLock { isRevoked in
      defer { isRevoked = false }
      return isRevoked
    }
    if mustEnd { primacy?.end() }
    return try body(&primacy)
  }

  /// Ends the primacy before its next use, without waiting for the thread that uses it now.
  ///
  /// The answer to that thread's append says whether its entry is in the log.
  func revoke() { isRevoked.withLock { $0 = true } }
}
