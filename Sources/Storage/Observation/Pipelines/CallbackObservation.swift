/// An observation that calls a closure, from its start to its end.
final class CallbackObservation: Sendable {
  private let subscriber: CallbackSubscriber
  private let subscription: any ObservationSubscription
  private let options: ObservationOptions

  init(
    _ subscriber: CallbackSubscriber,
    _ subscription: any ObservationSubscription,
    _ options: ObservationOptions
  ) {
    self.subscriber = subscriber
    self.subscription = subscription
    self.options = options
  }

  /// Starts the observation; the first call comes later.
  func start() {
    for willStart in options.willStart { willStart() }
    subscription.start()
  }

  /// Starts the observation, and makes the first call, unless waiting for its value could deadlock.
  func startAndWait() {
    for willStart in options.willStart { willStart() }
    // Events that come before the first call has returned wait for it.
    subscriber.callFirst { subscription.startAndWait() }
  }

  /// Starts the observation with a new run of the query, and calls `completion` after the call with
  /// the result of that run.
  func startWithNewRun(_ completion: @escaping @Sendable () -> Void) {
    for willStart in options.willStart { willStart() }
    subscription.startWithNewRun(completion)
  }

  /// Runs the query of a started observation again, and calls `completion` after the call with the
  /// result, or when the result needs no call.
  func refresh(_ completion: @escaping @Sendable () -> Void) { subscription.refresh(completion) }

  func end() {
    subscriber.cancel()
    subscription.end()
    for didCancel in options.didCancel { didCancel() }
  }

  /// Explains what the query reads, and why it has run.
  func explain() -> ObservationExplanation? { subscription.explain() }
}
