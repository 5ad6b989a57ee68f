internal import WellspringSystem

/// The options of a subscriber that do not depend on the type of its values.
struct ObservationOptions: Sendable {
  /// The shortest time between two values.
  var interval: Duration?
  /// The shortest time between two runs of the query, where the subscriber itself holds values
  /// back; by default ``interval``.
  var pace: Duration?
  var willStart: [@Sendable () -> Void] = []
  var didCancel: [@Sendable () -> Void] = []
  /// Flushes the subscribers to which this one passes the events on.
  var flushDownstream: ObservationFlush?
}

/// Closures that are called when a query runs.
struct QueryEventHandlers: Sendable {
  let willFetch: (@Sendable () -> Void)?
  let willTrackRegion: (@Sendable (DatabaseRegion) -> Void)?
  let databaseDidChange: (@Sendable () -> Void)?

  /// Returns a fetch that calls the handlers.
  func wrap<Value: Sendable>(
    _ fetch: @escaping ObservationFetch<Value>
  ) -> ObservationFetch<Value> {
    // Guards the region of the last run; the handlers are called outside.
    let last = Lock(DatabaseRegion?.none)
    return { db, number in
      if last.withLock({ $0 }) != nil { databaseDidChange?() }
      willFetch?()
      defer {
        let region = db.regionRecorder?.region ?? DatabaseRegion()
        let before = last.withLock { last in
          defer { last = region }
          return last
        }
        if before != region { willTrackRegion?(region) }
      }
      return try fetch(db, number)
    }
  }
}

/// The subscription of one subscriber to a query or a hub, from its start to its end.
protocol ObservationSubscription: AnyObject, Sendable {
  /// Begins to deliver to the subscriber; the first value or error comes on another thread.
  func start()

  /// Begins to deliver to the subscriber, and waits for the first value or error.
  ///
  /// - Returns: That value or error; `nil` where waiting for it could deadlock. The same event is
  ///   not sent to the subscriber, or is dropped by it.
  func startAndWait() -> AnyObservedMoment?

  /// Begins to deliver to the subscriber, and calls `completion` when it has received the result of
  /// a run of the query that begins now.
  func startWithNewRun(_ completion: @escaping @Sendable () -> Void)

  /// Runs the query of a started subscription again, and calls `completion` when the subscriber has
  /// received the result, or when there is nothing to deliver.
  func refresh(_ completion: @escaping @Sendable () -> Void)

  /// Ends the subscription. A query ends with its last subscription.
  func end()

  /// Explains what the query reads, and why it has run.
  func explain() -> ObservationExplanation?
}

/// What a ``ValueObservation`` is made of: a source of events, and stages that each subscriber's
/// events pass on the way to it.
///
/// Stages run where the subscriber takes the events. So no stage runs for an event that the
/// subscriber skips, and no stage can hold up other observations.
protocol ObservationPipeline<Value>: Sendable {
  associatedtype Value: Sendable

  /// Whether values that are equal to the one before are dropped.
  var dropsEqualValues: Bool { get }

  /// Adds a stage, which is made separately for each subscriber.
  func appending<New: Sendable>(
    _ makeStage: @escaping @Sendable () -> ObservationStage<Value, New>
  ) -> any ObservationPipeline<New>

  /// Adds a stage that drops equal values, unless the pipeline is made to allow them later.
  func droppingEqual(
    by areEqual: @escaping @Sendable (Value, Value) -> Bool
  ) -> any ObservationPipeline<Value>

  /// Returns the same pipeline without dropping equal values, neither where they are fetched nor
  /// where they are turned into other values.
  func allowingDuplicates() -> any ObservationPipeline<Value>

  /// Returns a pipeline whose followers share one run of the stages, except the stages that each
  /// follower needs separately.
  ///
  /// - Returns: The pipeline, and the hub to release when no further follower can come.
  func shared(
    in database: any ObservedDatabase,
    options: ObservationOptions,
    staysLive: Bool
  ) -> (pipeline: any ObservationPipeline<Value>, hub: any ReleasableHub)

  /// Returns the same pipeline, which also notifies handlers of the runs of its query.
  func handling(_ handlers: QueryEventHandlers) -> any ObservationPipeline<Value>

  /// Makes an observation that calls a closure with its values and other events, without starting
  /// it. The values are of type `Value`.
  func callback(
    in database: any ObservedDatabase,
    options: ObservationOptions,
    scheduler: any ValueObservationScheduler,
    handler: @escaping @Sendable (AnyObservedMoment) -> Void
  ) -> CallbackObservation

  /// Makes an observation to iterate over, without starting it.
  func stream(
    in database: any ObservedDatabase,
    options: ObservationOptions,
    bufferingPolicy: ObservationBufferingPolicy
  ) -> any EventStream<Value>
}
