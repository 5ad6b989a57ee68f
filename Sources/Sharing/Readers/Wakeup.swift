internal import WellspringSystem

/// Lets one task wait for changes. A woken task must check whether something has changed.
final class Wakeup: Sendable {
  private enum State {
    case idle
    /// Woken while no task was waiting.
    case woken
    case waiting(CheckedContinuation<Void, Never>)
  }

  // Guards the waiting continuation, which is resumed outside the lock.
  private let state = Lock(State.idle)

  func wake() {
    let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
      defer { state = .woken }
      guard case .waiting(let continuation) = state else { return nil }
      return continuation
    }
    waiting?.resume()
  }

  /// Waits for the next ``wake()``.
  ///
  /// Returns immediately if the last wait was followed by a wake, or if the task is cancelled.
  func wait(isolation: isolated (any Actor)?) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let mustWait = state.withLock { state in
          guard case .idle = state else { return false }
          state = .waiting(continuation)
          return true
        }
        if !mustWait { continuation.resume() }
      }
    } onCancel: {
      wake()
    }
    state.withLock { $0 = .idle }
  }
}
