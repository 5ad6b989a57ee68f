internal import WellspringSystem

/// The events of one subscriber, which iterates over them, after they have passed a stage.
final class EventStream<Value: Sendable>: Sendable {
  private let subscription: StreamSubscription
  private let stage: UntypedStage?
  private let interval: Duration?
  // Guards the time before which no event may be taken.
  private let notBefore = Lock(ContinuousClock.Instant?.none)

  init(
    _ subscription: StreamSubscription,
    stage: UntypedStage?,
    interval: Duration?
  ) {
    self.subscription = subscription
    self.stage = stage
    self.interval = interval
  }

  /// Returns the next event; `nil` at the end. The observation starts with the first call.
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
      let passed = if let stage { stage(moment) } else { moment as AnyObservedMoment? }
      guard let result = passed else { continue }
      if let interval { notBefore.withLock { $0 = .now + interval } }
      return result.event(of: Value.self)
    }
  }

  func end() { subscription.end() }

  /// Explains the region of a running observation; `nil` before its first step and after its end.
  func explain() -> ObservationExplanation? { subscription.explain() }
}

/// An observation on behalf of one async iterator. It ends when the iterator is released.
final class StreamSubscription: Sendable {
  private enum State {
    /// Exits: `running` with the first step, `ended`.
    case new
    /// Exit: `ended`.
    case running(any ObservationSubscription)
    case ended
  }

  private let options: ObservationOptions
  private let subscribe: @Sendable (any ObservationSubscriber) -> any ObservationSubscription
  private let subscriber: StreamSubscriber
  // Guards the state, so that the observation starts once, and not after its end.
  private let state = Lock(State.new)

  init(
    options: ObservationOptions,
    bufferingPolicy: ObservationBufferingPolicy,
    subscribe: @escaping @Sendable (any ObservationSubscriber) -> any ObservationSubscription
  ) {
    self.options = options
    self.subscribe = subscribe
    subscriber = StreamSubscriber(bufferingPolicy)
  }

  deinit {
    end()
  }

  func start() {
    guard case .new = state.withLock({ $0 }) else { return }
    let subscription = subscribe(subscriber)
    let isFirst = state.withLock { state in
      guard case .new = state else { return false }
      state = .running(subscription)
      return true
    }
    guard isFirst else { return subscription.end() }
    for willStart in options.willStart { willStart() }
    subscription.start()
  }

  /// Returns the next event; `nil` after the end.
  func next() async -> AnyObservedMoment? { await subscriber.next() }

  func explain() -> ObservationExplanation? {
    guard case .running(let subscription) = state.withLock({ $0 }) else { return nil }
    return subscription.explain()
  }

  func end() {
    let before = state.withLock { state in
      defer { state = .ended }
      return state
    }
    subscriber.finish()
    guard case .running(let subscription) = before else { return }
    subscription.end()
    for didCancel in options.didCancel { didCancel() }
  }
}
