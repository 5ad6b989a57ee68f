/// A subscription to an observation that its followers share.
final class HubSubscription<Value: Sendable>: ObservationSubscription {
  private let hub: ObservationHub<Value>
  private let subscriber: any ObservationSubscriber

  init(to hub: ObservationHub<Value>, _ subscriber: any ObservationSubscriber) {
    self.hub = hub
    self.subscriber = subscriber
  }

  func start() { hub.add(subscriber)?.start() }

  func startAndWait() -> AnyObservedMoment? {
    hub.add(subscriber)?.startAndWait()
    // The subscriber drops an event that it has already received.
    return hub.latest
  }

  func startWithNewRun(_ completion: @escaping @Sendable () -> Void) {
    // The hub has no query that could run, so its latest event is the result.
    hub.add(subscriber)?.start()
    subscriber.flush(completion)
  }

  func refresh(_ completion: @escaping @Sendable () -> Void) {
    // The hub's flush reaches the subscriber too.
    guard let upstream = hub.upstream else { return completion() }
    upstream.refresh(completion)
  }

  func end() { hub.remove(subscriber) }

  func explain() -> ObservationExplanation? { hub.upstream?.explain() }
}
