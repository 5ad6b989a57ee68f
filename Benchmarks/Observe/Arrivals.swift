internal import Dispatch
internal import Synchronization

/// Lets the writing thread wait until an observation delivers a value.
final class Arrivals: Sendable {
  // Guards the expected value and the time of its arrival.
  private let state = Mutex<(awaited: Int?, instant: SuspendingClock.Instant?)>((nil, nil))
  private let arrived = DispatchSemaphore(value: 0)

  /// Sets the value that the next ``wait()`` waits for. Call it before the write that leads to that
  /// value.
  func expect(_ value: Int) {
    state.withLock { $0 = (value, nil) }
  }

  /// Records a value. Called by the observation, on its queue.
  func record(_ value: Int) {
    let now = SuspendingClock.now
    let isAwaited = state.withLock { state in
      guard state.awaited == value else { return false }
      state = (nil, now)
      return true
    }
    if isAwaited { arrived.signal() }
  }

  /// Waits for the expected value, and returns the time of its arrival, which excludes waking up
  /// this thread.
  ///
  /// - Throws: ``Overdue`` after `seconds`.
  func wait(within seconds: Double = 10) throws -> SuspendingClock.Instant {
    guard arrived.wait(timeout: .now() + seconds) == .success,
      let instant = state.withLock({ $0.instant })
    else { throw Overdue(what: "the value of an observation") }
    return instant
  }
}
