internal import WellspringSystem

/// Delivers events under a limit: values and errors of a key, which go to a subscriber.
final class DeliveryLimiter<Event: Sendable>: Sendable {
  private typealias Machine = DeliveryLimiterStateMachine<Event>
  typealias Completion = @Sendable () -> Void

  private struct State {
    var machine: Machine
    /// The completions that wait for the delivery of the event that is held.
    var waiting: [Completion] = []
    /// The completions that wait for the end of the present delivery.
    var delivering: [Completion] = []

    mutating func begin(_ action: Machine.Action) -> Machine.Action {
      if case .deliver = action {
        delivering = waiting
        waiting = []
      }
      return action
    }
  }

  private let clock: any DeliveryClock
  private let scheduler: any ValueObservationScheduler
  private let deliver: @Sendable (Event) -> Void
  // Guards the event that is held. Events are delivered and released outside it.
  private let state: Lock<State>

  /// Creates a limiter.
  ///
  /// - Parameters:
  ///   - limit: When events are delivered.
  ///   - clock: The clock.
  ///   - scheduler: Where events are delivered that had to wait.
  ///   - deliver: Receives the events, one at a time.
  init(
    _ limit: DeliveryLimit,
    clock: any DeliveryClock,
    scheduler: any ValueObservationScheduler,
    deliver: @escaping @Sendable (Event) -> Void
  ) {
    self.clock = clock
    self.scheduler = scheduler
    self.deliver = deliver
    state = Lock(State(machine: DeliveryLimiterStateMachine(limit)))
  }

  /// Receives an event. If it need not wait, it is delivered on the calling thread.
  func receive(_ event: Event) {
    let now = clock.now
    let (action, replaced) = state.withLock { state in
      let (action, replaced) = state.machine.receive(event, now: now)
      return (state.begin(action), replaced)
    }
    withExtendedLifetime(replaced) {}
    act(action)
  }

  /// Delivers the event that is held without waiting any longer, and then calls a closure.
  func flush(_ completion: @escaping Completion) {
    let (isHeld, isDelivering) = state.withLock { state in
      if state.machine.held != nil {
        state.waiting.append(completion)
        return (true, state.machine.isDelivering)
      }
      if state.machine.isDelivering { state.delivering.append(completion) }
      return (false, state.machine.isDelivering)
    }
    if isHeld {
      // The closure keeps the limiter alive until the completion was called.
      scheduler.schedule { self.perform { $0.flush(now: $1) } }
    } else if !isDelivering {
      completion()
    }
  }

  private func perform(_ change: (inout Machine, _ now: Duration) -> Machine.Action) {
    let now = clock.now
    act(state.withLock { state in state.begin(change(&state.machine, now)) })
  }

  private func act(_ action: Machine.Action) {
    var action = action
    while case .deliver(let event) = action {
      ThreadScope.callback.run { deliver(event) }
      let now = clock.now
      let (next, completions) = state.withLock { state in
        let completions = state.delivering
        state.delivering = []
        return (state.begin(state.machine.didDeliver(now: now)), completions)
      }
      for completion in completions { completion() }
      action = next
    }
    guard case .wake(let time) = action else { return }
    // Without a subscription, there is nothing to deliver.
    clock.wake(at: time) { [weak self] in
      guard let self else { return }
      scheduler.schedule { self.perform { $0.wake(now: $1) } }
    }
  }
}
