internal import WellspringPlatform

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
