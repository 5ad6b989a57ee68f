internal import WellspringSystem

/// A subscription to a live query. It keeps the database open.
final class QuerySubscription: ObservationSubscription {
  private let query: ObservedQuery
  private let database: any ObservedDatabase
  private let subscriber: any ObservationSubscriber
  /// The hash of the request whose observations share the query; `nil` if it is not shared.
  private let sharedHash: Int?
  /// The shortest time between two values that the subscriber wants, in nanoseconds.
  private let pace: UInt64?

  /// - Parameters:
  ///   - query: The query, which the caller has held on behalf of the subscriber.
  ///   - database: Its database.
  ///   - subscriber: The subscriber.
  ///   - sharedHash: The hash of the request whose observations share the query.
  ///   - pace: The shortest time between two values that the subscriber wants.
  init(
    to query: ObservedQuery,
    in database: any ObservedDatabase,
    _ subscriber: any ObservationSubscriber,
    sharedHash: Int? = nil,
    pace: Duration?
  ) {
    self.query = query
    self.database = database
    self.subscriber = subscriber
    self.sharedHash = sharedHash
    self.pace = pace.map(\.nanoseconds)
  }

  func start() {
    query.add(subscriber, since: database.broker.lastNumber, pace: pace)
    database.broker.start(query)
  }

  func startAndWait() -> AnyObservedMoment? {
    database.broker.startAndWait(query)
    let moment = query.join(subscriber, since: database.broker.lastNumber, pace: pace)
    // It may have begun to rest since the broker was asked.
    if pace == nil, query.mayRest { database.broker.endRest(of: query) }
    return moment
  }

  func startWithNewRun(_ completion: @escaping @Sendable () -> Void) {
    query.add(subscriber, since: database.broker.lastNumber, pace: pace)
    database.broker.startWithNewRun(of: query, for: subscriber) { [subscriber] in
      subscriber.flush(completion)
    }
  }

  func refresh(_ completion: @escaping @Sendable () -> Void) {
    database.broker.refresh(query, for: subscriber) { [subscriber] in subscriber.flush(completion) }
  }

  func end() {
    guard query.release(subscriber) else { return }
    database.broker.remove(query)
    // A query that has ended is never used again. Its entry would keep the request alive.
    if let sharedHash {
      database.broker.sharedQueries.remove(ObjectIdentifier(query), hash: sharedHash)
    }
  }

  func explain() -> ObservationExplanation? { database.broker.explain(query) }
}

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

  /// Explains the region of the query, and why it has run.
  func explain() -> ObservationExplanation? { subscription.explain() }
}
