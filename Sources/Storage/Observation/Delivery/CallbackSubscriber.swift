internal import Dispatch
internal import WellspringSystem

/// Calls its completion when the calls for all events that were passed on have returned.
typealias ObservationFlush = @Sendable (_ completion: @escaping @Sendable () -> Void) -> Void

/// Calls a closure with the events of an observation, one at a time, where a scheduler says. When
/// events come faster than the closure returns, the newest event wins.
final class CallbackSubscriber: ObservationSubscriber {
  private enum Phase {
    /// There is nothing to call.
    ///
    /// Exits: `calling`, when an event comes or the first call begins; `cancelled`.
    case idle
    /// A call runs, or the scheduler has been asked for one.
    ///
    /// Exits: `idle`, when it has returned and no event waits; `cancelled`.
    case calling
    /// No call begins any more.
    case cancelled
  }

  private struct State {
    var phase = Phase.idle
    /// The event for the next call.
    var pending: AnyObservedMoment?
    var lastSequence: UInt64 = 0
    /// When the next call may begin, where there is a shortest time between two calls.
    var notBefore: DispatchTime?
    /// The completions. Each waits for the call with the event of a sequence number, or with a
    /// later event.
    var flushes: [(sequence: UInt64, completion: @Sendable () -> Void)] = []

    var isCancelled: Bool { phase == .cancelled }

    /// Takes the completions of events whose calls have returned, or are no longer needed.
    mutating func takeFlushes(upTo sequence: UInt64) -> [@Sendable () -> Void] {
      guard !flushes.isEmpty else { return [] }
      defer { flushes.removeAll { $0.sequence <= sequence } }
      return flushes.filter { $0.sequence <= sequence }.map(\.completion)
    }
  }

  private let scheduler: any ValueObservationScheduler
  private let interval: DispatchTimeInterval?
  let queue: DispatchQueue?
  /// Whether other threads may make the calls: on the queue, or anywhere if there is no queue.
  private let mayBeCalled: Bool
  private let handler: @Sendable (AnyObservedMoment) -> Void
  /// Flushes the subscribers to which the handler passes the events on.
  private let flushDownstream: ObservationFlush?
  // Guards the one event that waits. The handler runs outside.
  private let state = Lock(State())

  init(
    scheduler: any ValueObservationScheduler,
    interval: Duration? = nil,
    flushDownstream: ObservationFlush? = nil,
    handler: @escaping @Sendable (AnyObservedMoment) -> Void
  ) {
    self.scheduler = scheduler
    self.interval = interval.map { .nanoseconds(Int(clamping: $0.nanoseconds)) }
    queue = (scheduler as? DispatchQueueScheduler)?.queue
    mayBeCalled = interval == nil && (queue != nil || scheduler is SerialScheduler)
    self.flushDownstream = flushDownstream
    self.handler = handler
  }

  func receive(_ moment: AnyObservedMoment) -> (any PendingCall)? {
    let (mustSchedule, dropped) = state.withLock { state in
      guard !state.isCancelled, Fault.isOn(.outOfOrder) || moment.sequence > state.lastSequence
      else {
        return (false, AnyObservedMoment?.none)
      }
      state.lastSequence = moment.sequence
      let dropped = state.pending
      state.pending = moment
      defer { state.phase = .calling }
      return (state.phase == .idle, dropped)
    }
    withExtendedLifetime(dropped) {}
    guard mustSchedule else { return nil }
    if mayBeCalled { return self }
    schedule()
    return nil
  }

  func flush(_ completion: @escaping @Sendable () -> Void) {
    let completion =
      flushDownstream.map { flush in { @Sendable in flush(completion) } } ?? completion
    let isIdle = state.withLock { state in
      guard state.phase == .calling else { return true }
      state.flushes.append((state.lastSequence, completion))
      return false
    }
    if isIdle { completion() }
  }

  /// Asks the scheduler for a call, as soon as one may begin.
  private func schedule() {
    let notBefore = interval == nil ? nil : state.withLock { $0.notBefore }
    guard let notBefore, notBefore > .now() else {
      return dispatch()
    }
    // The subscriber is held weakly, because without a subscription there is nothing to call.
    DispatchQueue.global().asyncAfter(deadline: notBefore) { [weak self] in
      self?.dispatch()
    }
  }

  /// Makes the first call on the current thread. Events that come before it has returned wait for
  /// it.
  ///
  /// - Parameter first: Returns the event; `nil` when there is no event.
  func callFirst(_ first: () -> AnyObservedMoment?) {
    state.withLock { if !$0.isCancelled { $0.phase = .calling } }
    let moment = first()
    if let moment {
      let dropped = state.withLock { state -> AnyObservedMoment? in
        guard state.lastSequence <= moment.sequence else { return nil }
        state.lastSequence = moment.sequence
        defer { state.pending = nil }
        return state.pending
      }
      withExtendedLifetime(dropped) {}
    }
    let isCancelled = state.withLock { $0.isCancelled }
    finishCall(isCancelled ? nil : moment, sequence: moment?.sequence ?? 0)
  }

  private func finishCall(_ moment: AnyObservedMoment?, sequence: UInt64) {
    if let moment { ThreadScope.callback.run { handler(moment) } }
    // The next call is scheduled only when the handler has returned, so that calls come one at a
    // time, whatever the scheduler does.
    let (mustSchedule, flushed) = state.withLock { state in
      if moment != nil, let interval { state.notBefore = .now() + interval }
      let mustSchedule = state.pending != nil
      if !mustSchedule, !state.isCancelled { state.phase = .idle }
      return (mustSchedule, state.takeFlushes(upTo: sequence))
    }
    for completion in flushed { completion() }
    if mustSchedule { schedule() }
  }

  /// Ends the calls. A call that has begun may still be running when this returns.
  func cancel() {
    let (pending, flushed) = state.withLock { state in
      state.phase = .cancelled
      defer { state.pending = nil }
      return (state.pending, state.takeFlushes(upTo: .max))
    }
    withExtendedLifetime(pending) {}
    for completion in flushed { completion() }
  }
}

extension CallbackSubscriber: PendingCall {
  func make() {
    let (moment, sequence) = state.withLock { state in
      defer { state.pending = nil }
      return (state.isCancelled ? nil : state.pending, state.lastSequence)
    }
    finishCall(moment, sequence: sequence)
  }

  func dispatch() { scheduler.schedule { self.make() } }
}
