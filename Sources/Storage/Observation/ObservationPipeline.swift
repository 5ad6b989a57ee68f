/// A stage of a pipeline: it turns an event into another one, or drops it. The events of one subscriber
/// come one at a time.
typealias ObservationStage<Value: Sendable, New: Sendable> =
  @Sendable (ObservedEvent<Value>) -> ObservedEvent<New>?

/// What a ``ValueObservation`` is made of: something that is fetched, and stages that each subscriber's
/// events pass on the way to it.
///
/// Stages run where the subscriber takes the events: what it skips is not computed, and no stage can
/// hold up other observations.
protocol ObservationPipeline<Value>: Sendable {
  associatedtype Value: Sendable

  /// Adds a stage. It is made anew for each subscriber.
  func appending<New: Sendable>(
    _ makeStage: @escaping @Sendable () -> ObservationStage<Value, New>
  ) -> any ObservationPipeline<New>

  /// Drops equal values, unless the pipeline is to allow them.
  func droppingEqual(
    by areEqual: @escaping @Sendable (Value, Value) -> Bool
  ) -> any ObservationPipeline<Value>

  /// The same pipeline, which drops no equal values where they are fetched, nor where they are turned into
  /// others.
  func allowingDuplicates() -> any ObservationPipeline<Value>

  /// A pipeline whose followers share one run of the stages, but for those that each has by itself.
  func shared(
    in core: DatabaseCore,
    options: ObservationOptions,
    staysLive: Bool
  ) -> SharedPipeline<Value>

  /// The same pipeline, which tells handlers what happens to its query.
  func handling(_ handlers: QueryEventHandlers) -> any ObservationPipeline<Value>

  /// An observation that calls a closure, and has not been started.
  func callback(
    in core: DatabaseCore,
    options: ObservationOptions,
    scheduler: any ValueObservationScheduler,
    handler: @escaping @Sendable (ObservedEvent<Value>) -> Void
  ) -> LiveObservation

  /// An observation that is iterated over, and has not been started.
  func stream(
    in core: DatabaseCore,
    options: ObservationOptions,
    bufferingPolicy: ObservationBufferingPolicy
  ) -> any EventStream<Value>
}

/// A pipeline that several follow, whose query and stages run once.
struct SharedPipeline<Value: Sendable> {
  let pipeline: any ObservationPipeline<Value>
  /// Nobody new can follow.
  let release: @Sendable () -> Void
}

/// What concerns a subscriber, and none of its values.
struct ObservationOptions: Sendable {
  /// The shortest time between two values.
  var interval: Duration?
  var willStart: [@Sendable () -> Void] = []
  var didCancel: [@Sendable () -> Void] = []
  /// Flushes those whom the subscriber hands the events on to.
  var flushDownstream: ObservationFlush?
}

/// An observation that calls a closure.
struct LiveObservation: Sendable {
  /// Starts it; the first call comes later.
  let start: @Sendable () -> Void
  /// Starts it, and makes the first call, where waiting for it could not be waiting for ever.
  let startAndWait: @Sendable () -> Void
  /// Starts it with a new run of the query, and calls a closure after the call that tells its result.
  let startAnew: @Sendable (_ completion: @escaping @Sendable () -> Void) -> Void
  /// Sees to a new run of the query of a started one, and calls a closure after the call that tells its
  /// result, or when there is nothing new to be told.
  let refresh: @Sendable (_ completion: @escaping @Sendable () -> Void) -> Void
  let end: @Sendable () -> Void
  let explain: @Sendable () -> ObservationExplanation?
}

/// The events of one subscriber that iterates over them.
protocol EventStream<Value>: AnyObject, Sendable {
  associatedtype Value: Sendable

  /// The next event; `nil` at the end. The observation starts with the first call.
  func next() async -> ObservedEvent<Value>?

  func end()

  /// Tells what a running observation reads; `nil` before its first step and after its end.
  func explain() -> ObservationExplanation?
}

/// Fetches `Base` values, and turns them into `Value`s.
struct StagedPipeline<Base: Sendable, Value: Sendable>: ObservationPipeline {
  typealias MakeStage =
    @Sendable (_ dropsEqualValues: Bool) -> ObservationStage<Base, Value>

  var source: ObservationSource<Base>
  let makeStage: MakeStage
  /// Whether stages drop values that are equal to the one before.
  var dropsEqualValues = true

  func appending<New: Sendable>(
    _ makeNext: @escaping @Sendable () -> ObservationStage<Value, New>
  ) -> any ObservationPipeline<New> {
    appending { _ in makeNext() }
  }

  private func appending<New: Sendable>(
    _ makeNext: @escaping @Sendable (_ dropsEqualValues: Bool) -> ObservationStage<Value, New>
  ) -> StagedPipeline<Base, New> {
    StagedPipeline<Base, New>(
      source: source,
      makeStage: { [makeStage] dropsEqualValues in
        let (stage, next) = (makeStage(dropsEqualValues), makeNext(dropsEqualValues))
        return { event in stage(event).flatMap(next) }
      },
      dropsEqualValues: dropsEqualValues
    )
  }

  func droppingEqual(
    by areEqual: @escaping @Sendable (Value, Value) -> Bool
  ) -> any ObservationPipeline<Value> {
    let makeDropping = Storage.droppingEqual(areEqual)
    return appending { dropsEqualValues -> ObservationStage<Value, Value> in
      if dropsEqualValues { return makeDropping() }
      return { $0 }
    }
  }

  func allowingDuplicates() -> any ObservationPipeline<Value> {
    var copy = self
    copy.dropsEqualValues = false
    guard source.areEqual != nil else { return copy }
    copy.source.areEqual = nil
    // Others want to share a query that drops them.
    copy.source.subscribeToShared = nil
    return copy
  }

  func shared(
    in core: DatabaseCore,
    options: ObservationOptions,
    staysLive: Bool
  ) -> SharedPipeline<Value> {
    let hub = ObservationHub<Value>(staysLive: staysLive) { handler, flushDownstream in
      var options = options
      options.flushDownstream = flushDownstream
      return callback(in: core, options: options, scheduler: .async, handler: handler)
    }
    let source = ObservationSource<Value>(
      // Events come from the hub, which fetches nothing by itself.
      makeFetch: { { _, _ in throw DatabaseError.databaseIsClosed } },
      areEqual: nil,
      subscribeToShared: { _, subscriber in hub.subscribe(subscriber) }
    )
    return SharedPipeline(
      pipeline: StagedPipeline<Value, Value>(source: source) { _ in { $0 } },
      release: { hub.release() }
    )
  }

  func handling(_ handlers: QueryEventHandlers) -> any ObservationPipeline<Value> {
    var copy = self
    copy.source.subscribeToShared = nil
    copy.source.makeFetch = { [source] in handlers.wrap(source.makeFetch()) }
    return copy
  }

  func callback(
    in core: DatabaseCore,
    options: ObservationOptions,
    scheduler: any ValueObservationScheduler,
    handler: @escaping @Sendable (ObservedEvent<Value>) -> Void
  ) -> LiveObservation {
    let stage = makeStage(dropsEqualValues)
    let subscriber = CallbackSubscriber(
      scheduler: scheduler,
      interval: options.interval,
      flushDownstream: options.flushDownstream
    ) { moment in
      if let event = stage(moment.event(of: Base.self)) { handler(event) }
    }
    let subscription = source.subscribe(subscriber, in: core)
    return LiveObservation(
      start: {
        for willStart in options.willStart { willStart() }
        subscription.start()
      },
      startAndWait: {
        for willStart in options.willStart { willStart() }
        // What comes meanwhile waits for the first call.
        subscriber.callFirst { subscription.startAndWait() }
      },
      startAnew: { completion in
        for willStart in options.willStart { willStart() }
        subscription.startAnew(completion)
      },
      refresh: subscription.refresh,
      end: {
        subscriber.cancel()
        subscription.end()
        for didCancel in options.didCancel { didCancel() }
      },
      explain: subscription.explain
    )
  }

  func stream(
    in core: DatabaseCore,
    options: ObservationOptions,
    bufferingPolicy: ObservationBufferingPolicy
  ) -> any EventStream<Value> {
    StagedEventStream(
      StreamSubscription(options: options, bufferingPolicy: bufferingPolicy) { [source] in
        source.subscribe($0, in: core)
      },
      stage: makeStage(dropsEqualValues),
      interval: options.interval
    )
  }
}

extension ObservedEvent {
  /// The event with another value, or the error of the closure.
  func map<New: Sendable>(_ transform: (Value) throws -> New) -> ObservedEvent<New> {
    switch self {
    case .value(let numbered):
      do {
        return .value(Numbered(number: numbered.number, value: try transform(numbered.value)))
      } catch {
        return .failure(error)
      }
    case .failure(let error): return .failure(error)
    case .closed: return .closed
    }
  }
}
