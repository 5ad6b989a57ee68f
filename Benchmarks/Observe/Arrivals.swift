internal import Dispatch
internal import Synchronization

/// Tells the writing thread when an observation has delivered a value.
final class Arrivals: Sendable {
  // Guards the value that is waited for, and when it came.
  private let state = Mutex<(awaited: Int?, instant: SuspendingClock.Instant?)>((nil, nil))
  private let arrived = DispatchSemaphore(value: 0)

  /// Says which value the next ``wait()`` is for. Called before the write that leads to it.
  func expect(_ value: Int) {
    state.withLock { $0 = (value, nil) }
  }

  /// Called by the observation, on its queue.
  func note(_ value: Int) {
    let now = SuspendingClock.now
    let isAwaited = state.withLock { state in
      guard state.awaited == value else { return false }
      state = (nil, now)
      return true
    }
    if isAwaited { arrived.signal() }
  }

  /// Waits for the expected value, and returns when it came. Waking up this thread is not part of
  /// that time.
  ///
  /// - Throws: ``Overdue`` after ten seconds.
  func wait() throws -> SuspendingClock.Instant {
    guard arrived.wait(timeout: .now() + 10) == .success,
      let instant = state.withLock({ $0.instant })
    else { throw Overdue(what: "the value of an observation") }
    return instant
  }
}
