internal import WellspringPlatform

/// Lets one task wait until something may have happened: each time it is woken, it has to look.
final class Wakeup: Sendable {
  private enum State {
    case idle
    /// It was woken while it did not wait.
    case woken
    case waiting(CheckedContinuation<Void, Never>)
  }

  // Guards who waits. Continuations are resumed outside.
  private let state = Lock(State.idle)

  func wake() {
    let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
      defer { state = .woken }
      guard case .waiting(let continuation) = state else { return nil }
      return continuation
    }
    waiting?.resume()
  }

  /// Waits for the next ``wake()``, unless there was one since the last wait, or the task is cancelled.
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
