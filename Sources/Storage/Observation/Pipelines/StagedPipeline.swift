internal import WellspringSystem

/// A stage of a pipeline: it turns an event into another one, or drops it. The events of one
/// subscriber come one at a time.
typealias ObservationStage<Value: Sendable, New: Sendable> =
  @Sendable (ObservedEvent<Value>) -> ObservedEvent<New>?

/// Returns a stage that makes each result from the last value and the new value.
func comparing<Value: Sendable, New: Sendable>(
  _ transform: @escaping @Sendable (_ last: Numbered<Value>?, _ new: Numbered<Value>) throws -> New
) -> @Sendable () -> ObservationStage<Value, New> {
  {
    // Guards the last value. It is used and released outside.
    let last = Lock(Numbered<Value>?.none)
    return { event in
      event.numbered.map { new in
        let before = last.withLock { $0 }
        let result = try transform(before, new)
        last.withLock { $0 = new }
        return withExtendedLifetime(before) { result }
      }
    }
  }
}

/// Returns a stage that drops values equal to the last one that passed, unless an error came
/// between.
func droppingEqual<Value: Sendable>(
  _ areEqual: @escaping @Sendable (Value, Value) -> Bool
) -> @Sendable () -> ObservationStage<Value, Value> {
  {
    // Guards the last value. It is compared and released outside.
    let last = Lock(Value?.none)
    return { event in
      let before = last.withLock { $0 }
      guard case .value(let numbered) = event else {
        last.withLock { $0 = nil }
        return withExtendedLifetime(before) { event }
      }
      if let before, areEqual(before, numbered.value) { return nil }
      last.withLock { $0 = numbered.value }
      return withExtendedLifetime(before) { event }
    }
  }
}

/// Takes `Base` values from a source, and turns them into `Value`s.
struct StagedPipeline<Base: Sendable, Value: Sendable>: ObservationPipeline {
  typealias MakeStage =
    @Sendable (_ dropsEqualValues: Bool) -> ObservationStage<Base, Value>

  var source: ObservationSource<Base>
  let makeStage: MakeStage
  /// Whether there is a stage at all. Without one, `Base` is `Value`.
  private let hasStages: Bool
  var dropsEqualValues = true

  private init(
    source: ObservationSource<Base>,
    dropsEqualValues: Bool,
    makeStage: @escaping MakeStage
  ) {
    self.source = source
    self.makeStage = makeStage
    self.dropsEqualValues = dropsEqualValues
    hasStages = true
  }

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
      dropsEqualValues: dropsEqualValues
    ) { [makeStage] dropsEqualValues in
      let (stage, next) = (makeStage(dropsEqualValues), makeNext(dropsEqualValues))
      return { event in stage(event).flatMap(next) }
    }
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
    return copy
  }

  func shared(
    in database: any ObservedDatabase,
    options: ObservationOptions,
    staysLive: Bool
  ) -> (pipeline: any ObservationPipeline<Value>, hub: any ReleasableHub) {
    let hub = ObservationHub<Value>(staysLive: staysLive) { handler, flushDownstream in
      var options = options
      options.flushDownstream = flushDownstream
      return callback(in: database, options: options, scheduler: .async, handler: handler)
    }
    return (StagedPipeline<Value, Value>(source: .hub(hub)), hub)
  }

  func handling(_ handlers: QueryEventHandlers) -> any ObservationPipeline<Value> {
    var copy = self
    copy.source = source.handling(handlers)
    return copy
  }

  func callback(
    in database: any ObservedDatabase,
    options: ObservationOptions,
    scheduler: any ValueObservationScheduler,
    handler: @escaping @Sendable (AnyObservedMoment) -> Void
  ) -> CallbackObservation {
    let subscriber = CallbackSubscriber(
      scheduler: scheduler,
      interval: options.interval,
      flushDownstream: options.flushDownstream,
      handler: hasStages ? passing(handler) : handler
    )
    let subscription = source.subscribe(
      subscriber,
      in: database,
      dropsEqualValues: dropsEqualValues,
      pace: options.pace ?? options.interval
    )
    return CallbackObservation(subscriber, subscription, options)
  }

  /// Returns a handler of the source's events.
  private func passing(
    _ handler: @escaping @Sendable (AnyObservedMoment) -> Void
  ) -> @Sendable (AnyObservedMoment) -> Void {
    let stage = makeStage(dropsEqualValues)
    return { moment in
      if let event = stage(moment.event(of: Base.self)) { handler(.event(event)) }
    }
  }

  func stream(
    in database: any ObservedDatabase,
    options: ObservationOptions,
    bufferingPolicy: ObservationBufferingPolicy
  ) -> any EventStream<Value> {
    StagedEventStream(
      StreamSubscription(options: options, bufferingPolicy: bufferingPolicy) {
        [source, dropsEqualValues] in
        source.subscribe(
          $0,
          in: database,
          dropsEqualValues: dropsEqualValues,
          pace: options.pace ?? options.interval
        )
      },
      stage: makeStage(dropsEqualValues),
      interval: options.interval
    )
  }
}

extension StagedPipeline where Base == Value {
  /// Makes a pipeline without stages.
  init(source: ObservationSource<Value>) {
    self.source = source
    makeStage = { _ in { $0 } }
    hasStages = false
  }
}
