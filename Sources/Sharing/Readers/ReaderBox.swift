internal import Synchronization
internal import WellspringSystem

/// The state that a reader and its copies share: the source that they show, which can be replaced.
final class ReaderBox<Value: Sendable>: Sendable {
  private struct State {
    var source: any ReaderSource<Value>
    /// A number that is unique to each replacement of the source; empty before the first one.
    var switches: [UInt64] = []
    var wakeups: [ObjectIdentifier: Wakeup] = [:]
  }

  // Guards the source. The locks of sources, and of the boxes that a source is derived from, are
  // taken inside this lock. No foreign code runs under it.
  private let state: Lock<State>

  init(_ source: some ReaderSource<Value>) {
    state = Lock(State(source: source))
  }

  var source: any ReaderSource<Value> { state.withLock { $0.source } }

  func read() -> Value { source.read() }

  func status() -> ReaderStatus<Value> {
    let (source, switches) = state.withLock { ($0.source, $0.switches) }
    var status = source.status()
    if !switches.isEmpty {
      status.valuePosition.switches += switches
      status.eventPosition.switches += switches
    }
    return status
  }

  func add(_ wakeup: Wakeup) {
    state.withLock { state in
      state.wakeups[ObjectIdentifier(wakeup)] = wakeup
      state.source.add(wakeup)
    }
  }

  func remove(_ wakeup: Wakeup) {
    state.withLock { state in
      state.wakeups[ObjectIdentifier(wakeup)] = nil
      state.source.remove(wakeup)
    }
  }

  /// Replaces the source, and wakes all waiters.
  func show(_ source: any ReaderSource<Value>) {
    let (old, wakeups) = state.withLock { state in
      let old = state.source
      for wakeup in state.wakeups.values {
        old.remove(wakeup)
        source.add(wakeup)
      }
      state.source = source
      state.switches = [SwitchNumber.next()]
      return (old, Array(state.wakeups.values))
    }
    old.didLeave()
    for wakeup in wakeups { wakeup.wake() }
  }
}

/// Numbers the source replacements of all readers.
private enum SwitchNumber {
  private static let count = Atomic<UInt64>(0)

  static func next() -> UInt64 { count.add(1, ordering: .relaxed).newValue }
}
