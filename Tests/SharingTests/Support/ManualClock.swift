import WellspringSystem

@testable import Sharing

/// A clock that a test advances.
final class ManualClock: DeliveryClock {
  private struct State {
    var now = Duration.zero
    var wakes: [(time: Duration, action: @Sendable () -> Void)] = []
  }

  private let state = Lock(State())
  /// Yields for each wake that is scheduled.
  private let scheduled = AsyncStream.makeStream(of: Void.self)

  var now: Duration { state.withLock { $0.now } }

  func wake(at time: Duration, _ action: @escaping @Sendable () -> Void) {
    state.withLock { $0.wakes.append((time, action)) }
    scheduled.continuation.yield()
  }

  /// Waits until the next wake is scheduled.
  func nextWake() async throws {
    for await _ in scheduled.stream { return }
    throw CancellationError()
  }

  /// Advances the clock, and makes the wakes that are due.
  func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now += duration
      let due = state.wakes.filter { $0.time <= state.now }
      state.wakes.removeAll { $0.time <= state.now }
      return due
    }
    for wake in due { wake.action() }
  }
}
