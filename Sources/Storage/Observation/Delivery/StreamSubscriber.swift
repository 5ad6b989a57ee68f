internal import WellspringSystem

/// Keeps the events of an observation until the task that iterates over them takes them.
///
/// An `AsyncStream` would do, but with it a thousand loops over one value took half as long again
/// (`Benchmarks observe`): it is generic code of another module, which looks up its types for each
/// event.
final class StreamSubscriber: ObservationSubscriber {
  private typealias Continuation = UnsafeContinuation<AnyObservedMoment?, Never>

  private struct State {
    var lastSequence: UInt64 = 0
    var moments: MomentQueue
    /// The task that waits for the next event; `nil` while no task waits.
    var waiting: Continuation?
    var isFinished = false
  }

  // Guards the events and the task that waits for them. Continuations are resumed, and events are
  // released, outside.
  private let state: Lock<State>

  init(_ bufferingPolicy: ObservationBufferingPolicy) {
    state = Lock(State(moments: MomentQueue(bufferingPolicy)))
  }

  func receive(_ moment: AnyObservedMoment) -> (any PendingCall)? {
    let (waiting, dropped) = state.withLock { state -> (Continuation?, AnyObservedMoment?) in
      guard !state.isFinished, Fault.isOn(.outOfOrder) || moment.sequence > state.lastSequence
      else { return (nil, nil) }
      state.lastSequence = moment.sequence
      guard let waiting = state.waiting.take() else { return (nil, state.moments.append(moment)) }
      return (waiting, nil)
    }
    waiting?.resume(returning: moment)
    return withExtendedLifetime(dropped) { nil }
  }

  // The events that were received wait in the queue, where the loop can take them.
  func flush(_ completion: @escaping @Sendable () -> Void) { completion() }

  /// Returns the next event; `nil` after the end, which comes with ``finish()`` or when the task is
  /// cancelled.
  ///
  /// - Precondition: No other task waits for an event.
  func next() async -> AnyObservedMoment? {
    await withTaskCancellationHandler {
      await withUnsafeContinuation { (continuation: Continuation) in
        let (moment, mustWait) = state.withLock { state -> (AnyObservedMoment?, Bool) in
          precondition(
            state.waiting == nil,
            """
            An observation is iterated over by two tasks at the same time. Make an iterator for \
            each task.
            """
          )
          if let moment = state.moments.popFirst() { return (moment, false) }
          if state.isFinished { return (nil, false) }
          state.waiting = continuation
          return (nil, true)
        }
        if !mustWait { continuation.resume(returning: moment) }
      }
    } onCancel: {
      finish()
    }
  }

  /// Drops the events that wait, and ends the iteration.
  func finish() {
    let (waiting, dropped) = state.withLock { state in
      state.isFinished = true
      return (state.waiting.take(), state.moments.removeAll())
    }
    withExtendedLifetime(dropped) { waiting?.resume(returning: nil) }
  }
}

/// Events that wait to be taken, in their order.
private struct MomentQueue {
  private let policy: ObservationBufferingPolicy
  private var first: AnyObservedMoment?
  /// The events behind the first one.
  private var rest = FIFO<AnyObservedMoment>()

  init(_ policy: ObservationBufferingPolicy) {
    self.policy = policy
  }

  /// Adds an event.
  ///
  /// - Returns: The event that it pushes out.
  mutating func append(_ moment: AnyObservedMoment) -> AnyObservedMoment? {
    guard let before = first else {
      first = moment
      return nil
    }
    switch policy {
    case .newest:
      first = moment
      return before
    case .unbounded:
      rest.append(moment)
      return nil
    }
  }

  mutating func popFirst() -> AnyObservedMoment? {
    guard let taken = first.take() else { return nil }
    first = rest.popFirst()
    return taken
  }

  /// Empties the queue.
  ///
  /// - Returns: Its content.
  mutating func removeAll() -> MomentQueue {
    defer { self = MomentQueue(policy) }
    return self
  }
}
