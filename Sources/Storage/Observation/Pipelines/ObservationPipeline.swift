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

  /// Explains the region of the query, and why it has run.
  func explain() -> ObservationExplanation?
}

/// The parts of a ``ValueObservation``: a source of events, and stages that each subscriber's
/// events pass on the way to it.
///
/// Stages run where the subscriber takes the events. So no stage runs for an event that the
/// subscriber skips, and no stage can hold up other observations.
struct ObservationPipeline<Value: Sendable>: Sendable {
  /// Makes a stage for one subscriber. The argument says whether values that are equal to the one
  /// before are dropped.
  private typealias MakeStage = @Sendable (_ dropsEqualValues: Bool) -> UntypedStage

  private var source: any ObservationSourcing
  /// The stages that the followers of a shared observation share.
  private var stages: [MakeStage] = []
  /// The stages after them. Each follower of a shared observation runs them separately, because
  /// they depend on the values that this follower has seen.
  private var followerStages: [MakeStage] = []
  private var allowsDuplicates = false

  init(source: ObservationSource<Value>) { self.init(source) }

  private init(_ source: any ObservationSourcing) { self.source = source }

  /// Whether values that are equal to the one before are dropped.
  ///
  /// The last stages of a follower may make equal values from different ones, such as two equal
  /// changes: both count.
  var dropsEqualValues: Bool { !allowsDuplicates && followerStages.isEmpty }

  // MARK: Stages

  /// Adds a stage, which is made separately for each subscriber.
  func appending<New: Sendable>(
    _ makeStage: @escaping @Sendable () -> ObservationStage<Value, New>
  ) -> ObservationPipeline<New> {
    appending(forFollowers: false) { _ in makeStage() }
  }

  /// Adds a stage that each follower of a shared observation runs separately, as it does all stages
  /// that are added later.
  func appendingForFollowers<New: Sendable>(
    _ makeStage: @escaping @Sendable () -> ObservationStage<Value, New>
  ) -> ObservationPipeline<New> {
    appending(forFollowers: true) { _ in makeStage() }
  }

  /// Adds a stage that drops equal values, unless the pipeline is made to allow them later.
  func droppingEqual(
    by areEqual: @escaping @Sendable (Value, Value) -> Bool
  ) -> ObservationPipeline<Value> {
    let makeDropping = Storage.droppingEqual(areEqual)
    return appending(forFollowers: false) { dropsEqualValues -> ObservationStage<Value, Value> in
      if dropsEqualValues { return makeDropping() }
      return { $0 }
    }
  }

  private func appending<New: Sendable>(
    forFollowers: Bool,
    _ makeStage: @escaping @Sendable (_ dropsEqualValues: Bool) -> ObservationStage<Value, New>
  ) -> ObservationPipeline<New> {
    var next = ObservationPipeline<New>(source)
    next.stages = stages
    next.followerStages = followerStages
    next.allowsDuplicates = allowsDuplicates
    let makeUntyped: MakeStage = { dropsEqualValues in
      let stage = makeStage(dropsEqualValues)
      return { moment in stage(moment.event(of: Value.self)).map { .event($0) } }
    }
    if forFollowers || !followerStages.isEmpty {
      next.followerStages.append(makeUntyped)
    } else {
      next.stages.append(makeUntyped)
    }
    return next
  }

  /// Returns the same pipeline without dropping equal values, neither where they are fetched nor
  /// where they are turned into other values.
  func allowingDuplicates() -> ObservationPipeline<Value> {
    var copy = self
    copy.allowsDuplicates = true
    return copy
  }

  /// Returns the same pipeline, which also notifies handlers of the runs of its query.
  func handling(_ handlers: QueryEventHandlers) -> ObservationPipeline<Value> {
    var copy = self
    copy.source = source.handling(handlers)
    return copy
  }

  /// Returns all stages as one; `nil` if there are no stages.
  private func makeStage() -> UntypedStage? {
    let made = (stages + followerStages).map { $0(!allowsDuplicates) }
    guard let first = made.first else { return nil }
    return made.dropFirst().reduce(first) { stage, next in { stage($0).flatMap(next) } }
  }

  // MARK: Subscribers

  /// Returns a pipeline whose followers share one run of the stages, except the stages that each
  /// follower needs separately.
  ///
  /// - Returns: The pipeline, and the hub to release when no further follower can come.
  func shared(
    in database: any ObservedDatabase,
    options: ObservationOptions,
    staysLive: Bool
  ) -> (pipeline: ObservationPipeline<Value>, hub: any ReleasableHub) {
    var upstream = self
    upstream.followerStages = []
    let hub = ObservationHub(staysLive: staysLive) { [upstream] handler, flushDownstream in
      var options = options
      options.flushDownstream = flushDownstream
      return upstream.callback(in: database, options: options, scheduler: .async, handler: handler)
    }
    var shared = ObservationPipeline<Value>(hub)
    shared.stages = followerStages
    return (shared, hub)
  }

  /// Makes an observation that calls a closure with its values and other events, without starting
  /// it. The values are of type `Value`.
  func callback(
    in database: any ObservedDatabase,
    options: ObservationOptions,
    scheduler: any ValueObservationScheduler,
    handler: @escaping @Sendable (AnyObservedMoment) -> Void
  ) -> CallbackObservation {
    var stagedHandler = handler
    if let stage = makeStage() {
      stagedHandler = { moment in if let new = stage(moment) { handler(new) } }
    }
    let subscriber = CallbackSubscriber(
      scheduler: scheduler,
      interval: options.interval,
      flushDownstream: options.flushDownstream,
      handler: stagedHandler
    )
    return CallbackObservation(subscriber, subscribe(subscriber, in: database, options), options)
  }

  /// Makes an observation to iterate over, without starting it.
  func stream(
    in database: any ObservedDatabase,
    options: ObservationOptions,
    bufferingPolicy: ObservationBufferingPolicy
  ) -> EventStream<Value> {
    EventStream(
      StreamSubscription(options: options, bufferingPolicy: bufferingPolicy) {
        subscribe($0, in: database, options)
      },
      stage: makeStage(),
      interval: options.interval
    )
  }

  private func subscribe(
    _ subscriber: any ObservationSubscriber,
    in database: any ObservedDatabase,
    _ options: ObservationOptions
  ) -> any ObservationSubscription {
    source.subscribe(
      subscriber,
      in: database,
      dropsEqualValues: !allowsDuplicates,
      pace: options.pace ?? options.interval
    )
  }
}
