internal import WellspringPlatform

/// Calls closures with the events of an observation, one at a time, where a scheduler says. When
/// events come faster than the closures return, the newest one wins.
final class CallbackSubscriber<Value: Sendable>: ObservationSubscriber {
  private struct State {
    var pending: ObservedEvent<Value>?
    var lastSequence: UInt64 = 0
    /// Whether the scheduler has been asked to call, and has not done it yet.
    var isScheduled = false
    var isCancelled = false
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
  private let handler: @Sendable (ObservedEvent<Value>) -> Void
  // Guards the one event that waits. The handler runs outside.
  private let state = Lock(State())

  init(
    scheduler: any ValueObservationScheduler,
    handler: @escaping @Sendable (ObservedEvent<Value>) -> Void
  ) {
    self.scheduler = scheduler
    self.handler = handler
  }

  func receive(_ event: ObservedEvent<Value>, _ sequence: UInt64) -> PendingCall? {
    let (mustSchedule, dropped) = state.withLock { state in
      guard !state.isCancelled, sequence > state.lastSequence else {
        return (false, ObservedEvent<Value>?.none)
      }
      state.lastSequence = sequence
      let dropped = state.pending
      state.pending = event
      defer { state.isScheduled = true }
      return (!state.isScheduled, dropped)
    }
    withExtendedLifetime(dropped) {}
    guard mustSchedule else { return nil }
    let call = PendingCall(
      run: { self.call() },
      dispatch: { self.scheduler.schedule { self.call() } }
    )
    if scheduler is SerialScheduler { return call }
    call.dispatch()
    return nil
  }

  func flush(_ completion: @escaping @Sendable () -> Void) {
    let isIdle = state.withLock { state in
      guard state.isScheduled, !state.isCancelled else { return true }
      state.flushes.append((state.lastSequence, completion))
      return false
    }
    if isIdle { completion() }
  }

  private func call() {
    let (event, sequence) = state.withLock { state in
      defer { state.pending = nil }
      return (state.isCancelled ? nil : state.pending, state.lastSequence)
    }
    if let event { ThreadScope.callback.run { handler(event) } }
    // Not before the handler has returned: it is called one at a time, whatever the scheduler does.
    let (mustSchedule, flushed) = state.withLock { state in
      state.isScheduled = state.pending != nil
      return (state.isScheduled, state.takeFlushes(upTo: sequence))
    }
    for completion in flushed { completion() }
    if mustSchedule { scheduler.schedule { self.call() } }
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
