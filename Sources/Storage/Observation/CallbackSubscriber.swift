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

  private func call() {
    let event = state.withLock { state in
      defer { state.pending = nil }
      return state.isCancelled ? nil : state.pending
    }
    if let event { handler(event) }
    // Not before the handler has returned: it is called one at a time, whatever the scheduler does.
    let mustSchedule = state.withLock { state in
      state.isScheduled = state.pending != nil
      return state.isScheduled
    }
    if mustSchedule { scheduler.schedule { self.call() } }
  }

  /// Calls no more. A call that runs may still be running when this returns.
  func cancel() {
    let pending = state.withLock { state in
      state.isCancelled = true
      defer { state.pending = nil }
      return state.pending
    }
    withExtendedLifetime(pending) {}
  }
}
