internal import Synchronization
internal import WellspringPlatform

/// What a reader and its copies have in common: the source that they show, which can be exchanged.
final class ReaderBox<Value: Sendable>: Sendable {
  private struct State {
    var source: any ReaderSource<Value>
    /// Differs from that of each other source that was shown before.
    var switches: [UInt64] = []
    var wakeups: [ObjectIdentifier: Wakeup] = [:]
  }

  // Guards the source. Locks of sources come inside of it, as those of the boxes that a source is
  // derived from: nothing foreign runs there.
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

  /// Shows another source.
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

/// Numbers for the switches of all readers.
private enum SwitchNumber {
  private static let count = Atomic<UInt64>(0)

  static func next() -> UInt64 { count.add(1, ordering: .relaxed).newValue }
}
