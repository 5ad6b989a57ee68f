internal import Dispatch
internal import WellspringSystem

/// The events of a node: all that have happened, for each loop and each instrument, in order.
final class EventLog: Sendable {
  private typealias Continuation = AsyncStream<ReplicationEvent>.Continuation

  private struct State {
    var events: [ReplicationEvent] = []
    var last: Int64 = 0
    var continuations: [UInt64: Continuation] = [:]
    var lastLoop: UInt64 = 0
    var isEnded = false
    /// Whether the instruments have not received the last status yet.
    var isReporting = false
  }

  /// How many events a new loop gets that have happened before.
  static let keptCount = 1000

  private let instruments: [any ReplicationInstrument]
  // Guards the events and the loops. The deliveries are put into the queue under the lock, which
  // gives them their order, and run outside it.
  private let state = Lock(State())
  private let queue = DispatchQueue(label: "wellspring.replication.events")

  init(_ instruments: [any ReplicationInstrument]) { self.instruments = instruments }

  deinit { end() }

  /// Makes a sequence of the events so far, and of all later ones. A loop that is slow gets all.
  func stream() -> AsyncStream<ReplicationEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: ReplicationEvent.self)
    state.withLock { state in
      let (events, isEnded) = (state.events, state.isEnded)
      state.lastLoop += 1
      let number = state.lastLoop
      if !isEnded { state.continuations[number] = continuation }
      queue.async {
        events.forEach { continuation.yield($0) }
        if isEnded { continuation.finish() }
      }
      continuation.onTermination = { [weak self, queue] _ in
        // Not at once: the stream may end under the lock.
        queue.async { [weak self] in self?.remove(number) }
      }
    }
    return stream
  }

  private func remove(_ number: UInt64) {
    state.withLock { _ = $0.continuations.removeValue(forKey: number) }
  }

  /// Notes events.
  ///
  /// - Parameters:
  ///   - kinds: The kinds of the events, in order.
  ///   - time: The time of the node's clock, in milliseconds since 1970.
  func note(_ kinds: [ReplicationEvent.Kind], at time: Int64) {
    guard !kinds.isEmpty else { return }
    state.withLock { state in
      guard !state.isEnded else { return }
      let events = kinds.map { kind in
        state.last += 1
        return ReplicationEvent(number: state.last, time: time, kind: kind)
      }
      state.events += events
      state.events.removeFirst(max(0, state.events.count - Self.keptCount))
      let continuations = Array(state.continuations.values)
      queue.async { [instruments] in
        for event in events {
          instruments.forEach { $0.record(event) }
          continuations.forEach { $0.yield(event) }
        }
      }
    }
  }

  /// Gives a status to the instruments, unless they are still busy with the one before.
  func report(_ status: ReplicationStatus) {
    guard !instruments.isEmpty else { return }
    state.withLock { state in
      guard !state.isEnded, !state.isReporting else { return }
      state.isReporting = true
      queue.async { [instruments, weak self] in
        instruments.forEach { $0.record(status) }
        self?.state.withLock { $0.isReporting = false }
      }
    }
  }

  /// Waits until the events so far were delivered, for some time at most.
  func awaitDelivery(for limit: Duration) {
    let isDelivered = MonotonicSemaphore()
    queue.async { isDelivered.signal() }
    _ = isDelivered.wait(for: limit)
  }

  /// Ends the loops, after the events so far.
  func end() {
    state.withLock { state in
      guard !state.isEnded else { return }
      state.isEnded = true
      let continuations = Array(state.continuations.values)
      state.continuations = [:]
      queue.async { continuations.forEach { $0.finish() } }
    }
  }
}
