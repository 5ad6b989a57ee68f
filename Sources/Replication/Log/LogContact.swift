internal import WellspringSystem

/// When a log has answered, and which calls wait for it.
///
/// A log that is cut off in silence gives no error. So the older the last answer is, the less
/// reliable is the node's knowledge. Times are nanoseconds of the monotonic clock.
final class LogContact: Sendable {
  private struct State {
    var lastAnswer: UInt64?
    /// From when on the calls that have failed since had no answer.
    var failingSince: UInt64?
    /// From when on each running call has no answer, by number.
    var calls: [UInt64: UInt64] = [:]
    var lastCall: UInt64 = 0
  }

  // Guards when the log was called, and when it answered. No call runs under the lock.
  private let state = Lock(State())

  /// When the log has answered last; `nil` if it never has.
  var lastAnswer: UInt64? { state.withLock { $0.lastAnswer } }

  /// Returns when the log begins to count as silent.
  ///
  /// - Parameter limit: For how long there may be no answer. A node that asks seldom has an old
  ///   answer, and waits for the next one for three quarters of that time.
  /// - Returns: A moment, which may be in the future; `nil` if the log has answered all calls.
  func silenceBegin(_ limit: Duration) -> UInt64? {
    state.withLock { state in
      let waiting = [state.failingSince, state.calls.values.min()].compactMap(\.self).min()
      guard let waiting else { return nil }
      let limit = limit.nanoseconds
      return max((state.lastAnswer ?? 0) + limit, waiting + limit / 4 * 3)
    }
  }

  /// Begins a call, which the log may answer after a time without being late.
  func begin(waiting time: Duration = .zero) -> UInt64 {
    state.withLock { state in
      state.lastCall += 1
      state.calls[state.lastCall] = MonotonicClock.now + min(time, .seconds(1_000_000)).nanoseconds
      return state.lastCall
    }
  }

  /// Ends a call.
  ///
  /// - Parameters:
  ///   - call: Its number.
  ///   - isAnswered: Whether the log has answered, and not a time-out or something in between.
  func end(_ call: UInt64, isAnswered: Bool) {
    let now = MonotonicClock.now
    state.withLock { state in
      let start = state.calls.removeValue(forKey: call) ?? now
      if isAnswered {
        state.lastAnswer = now
        state.failingSince = nil
      } else {
        state.failingSince = min(state.failingSince ?? now, start)
      }
    }
  }
}
