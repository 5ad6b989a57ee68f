internal import WellspringPlatform

/// The events of a subscription, after they have passed a stage.
final class StagedEventStream<Base: Sendable, Value: Sendable>: EventStream {
  private let subscription: StreamSubscription
  private let stage: ObservationStage<Base, Value>
  private let interval: Duration?
  // Guards the time before which no event may be taken.
  private let notBefore = Lock(ContinuousClock.Instant?.none)

  init(
    _ subscription: StreamSubscription,
    stage: @escaping ObservationStage<Base, Value>,
    interval: Duration?
  ) {
    self.subscription = subscription
    self.stage = stage
    self.interval = interval
  }

  func next() async -> ObservedEvent<Value>? {
    // An iteration that was cancelled before it began need not run the query.
    if Task.isCancelled { return nil }
    subscription.start()
    while true {
      if interval != nil, let notBefore = notBefore.withLock({ $0 }) {
        // A task that is cancelled does not wait, and gets no event.
        try? await Task.sleep(until: notBefore)
      }
      guard let moment = await subscription.next() else { return nil }
      guard let result = stage(moment.event(of: Base.self)) else { continue }
      if let interval { notBefore.withLock { $0 = .now + interval } }
      return result
    }
  }

  func end() { subscription.end() }

  func explain() -> ObservationExplanation? { subscription.explain() }
}
