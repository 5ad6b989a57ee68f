internal import Dispatch

/// The primacy of a node, if it has one. One thread at a time uses it, and waits for the log.
final class PrimacyTurn: @unchecked Sendable {
  // Safe to share: only the holder of the turn uses `primacy`. It is no lock, because the holder
  // makes calls of the log.
  private let turn = DispatchSemaphore(value: 1)
  private var primacy: Primacy?

  /// Uses the primacy when no other thread does.
  func use<Result>(_ body: (inout Primacy?) throws -> Result) rethrows -> Result {
    turn.wait()
    defer { turn.signal() }
    return try body(&primacy)
  }
}
