internal import WellspringSystem

/// The entries that several ``MemoryLog``s share.
final class MemoryLogStore: Sendable {
  struct State {
    /// The number of the entries that were trimmed.
    var trimmed: Int64 = 0
    var entries: [[UInt8]] = []
    var waiters: [MonotonicSemaphore] = []
    /// The announcements of nodes, and until when each is kept.
    var announcements: [String: (bytes: [UInt8], end: UInt64)] = [:]

    var tail: LogPosition { LogPosition(trimmed + Int64(entries.count)) }

    /// Appends an entry if the log ends as expected.
    mutating func append(_ bytes: [UInt8], expecting position: LogPosition) -> AppendOutcome {
      guard position == tail else { return .conflict(tail: tail) }
      entries.append(bytes)
      return .appended(tail)
    }
  }

  // Guards the entries. The semaphores are signalled outside the lock.
  private let state = Lock(State())

  /// Changes or reads the entries, and wakes up the waiting readers when there are new ones.
  func withState<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    let (result, waiters) = state.withLock { state in
      let count = state.entries.count
      let result = body(&state)
      let waiters = state.entries.count > count ? state.waiters : []
      return (result, waiters)
    }
    waiters.forEach { $0.signal() }
    return result
  }

  /// How many readers wait.
  var waiterCount: Int { state.withLock { $0.waiters.count } }

  func add(_ waiter: MonotonicSemaphore) { withState { $0.waiters.append(waiter) } }

  func remove(_ waiter: MonotonicSemaphore) { withState { $0.waiters.removeAll { $0 === waiter } } }
}
