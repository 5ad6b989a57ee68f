internal import Dispatch
internal import WellspringPlatform

/// Calls its completion when what was handed on has been called back.
typealias ObservationFlush = @Sendable (_ completion: @escaping @Sendable () -> Void) -> Void

/// Calls closures with the events of an observation, one at a time, where a scheduler says. When
/// events come faster than the closures return, the newest one wins.
final class CallbackSubscriber: ObservationSubscriber {
  private struct State {
    var pending: AnyObservedMoment?
    var lastSequence: UInt64 = 0
    /// Whether a call runs, or the scheduler has been asked for one.
    var isScheduled = false
    var isCancelled = false
    /// When the next call may begin, where there is a shortest time between two calls.
    var notBefore: DispatchTime?
    /// Those who wait for the call of the event with a sequence number, or a later one.
    var flushes: [(sequence: UInt64, completion: @Sendable () -> Void)] = []

    /// Takes those who wait for events that have been called back by now.
    mutating func takeFlushes(upTo sequence: UInt64) -> [@Sendable () -> Void] {
      guard !flushes.isEmpty else { return [] }
      defer { flushes.removeAll { $0.sequence <= sequence } }
      return flushes.filter { $0.sequence <= sequence }.map(\.completion)
    }
  }

  private let scheduler: any ValueObservationScheduler
  private let interval: DispatchTimeInterval?
  /// Whether any thread may make the calls.
  private let mayCallAnywhere: Bool
  private let handler: @Sendable (AnyObservedMoment) -> Void
  /// Flushes those whom the handler hands the events on to.
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
    mayCallAnywhere = scheduler is SerialScheduler && interval == nil
    self.flushDownstream = flushDownstream
    self.handler = handler
  }

  func receive(_ moment: AnyObservedMoment) -> (any PendingCall)? {
    let (mustSchedule, dropped) = state.withLock { state in
      guard !state.isCancelled, moment.sequence > state.lastSequence else {
        return (false, AnyObservedMoment?.none)
      }
      state.lastSequence = moment.sequence
      let dropped = state.pending
      state.pending = moment
      defer { state.isScheduled = true }
      return (!state.isScheduled, dropped)
    }
    withExtendedLifetime(dropped) {}
    guard mustSchedule else { return nil }
    if mayCallAnywhere { return self }
    schedule()
    return nil
  }

  func flush(_ completion: @escaping @Sendable () -> Void) {
    let completion =
      flushDownstream.map { flush in { @Sendable in flush(completion) } } ?? completion
    let isIdle = state.withLock { state in
      guard state.isScheduled, !state.isCancelled else { return true }
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
    // It need not live for that: without a subscription, there is nothing to call.
    DispatchQueue.global().asyncAfter(deadline: notBefore) { [weak self] in
      self?.dispatch()
    }
  }

  /// Makes the first call on the current thread. Events that come until it has returned wait for that.
  ///
  /// - Parameter first: Gets the event; `nil` for none.
  func callFirst(_ first: () -> AnyObservedMoment?) {
    state.withLock { $0.isScheduled = true }
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
    finishCall(moment, sequence: moment?.sequence ?? 0)
  }

  private func finishCall(_ moment: AnyObservedMoment?, sequence: UInt64) {
    if let moment { ThreadScope.callback.run { handler(moment) } }
    // Not before the handler has returned: it is called one at a time, whatever the scheduler does.
    let (mustSchedule, flushed) = state.withLock { state in
      if moment != nil, let interval { state.notBefore = .now() + interval }
      state.isScheduled = state.pending != nil
      return (state.isScheduled, state.takeFlushes(upTo: sequence))
    }
    for completion in flushed { completion() }
    if mustSchedule { schedule() }
  }

  /// Calls no more. A call that runs may still be running when this returns.
  func cancel() {
    let (pending, flushed) = state.withLock { state in
      state.isCancelled = true
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

extension Duration {
  fileprivate var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? .max : whole &+ attoseconds / 1_000_000_000
  }
}
