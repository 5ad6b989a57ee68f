/// Takes `Base` values from a source, and turns them into `Value`s.
struct StagedPipeline<Base: Sendable, Value: Sendable>: ObservationPipeline {
  typealias MakeStage =
    @Sendable (_ dropsEqualValues: Bool) -> ObservationStage<Base, Value>

  var source: ObservationSource<Base>
  let makeStage: MakeStage
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
    return (StagedPipeline<Value, Value>(source: .hub(hub)) { _ in { $0 } }, hub)
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
    handler: @escaping @Sendable (ObservedEvent<Value>) -> Void
  ) -> CallbackObservation {
    let stage = makeStage(dropsEqualValues)
    let subscriber = CallbackSubscriber(
      scheduler: scheduler,
      interval: options.interval,
      flushDownstream: options.flushDownstream
    ) { moment in
      if let event = stage(moment.event(of: Base.self)) { handler(event) }
    }
    let subscription = source.subscribe(
      subscriber,
      in: database,
      dropsEqualValues: dropsEqualValues
    )
    return CallbackObservation(subscriber, subscription, options)
  }

  func stream(
    in database: any ObservedDatabase,
    options: ObservationOptions,
    bufferingPolicy: ObservationBufferingPolicy
  ) -> any EventStream<Value> {
    StagedEventStream(
      StreamSubscription(options: options, bufferingPolicy: bufferingPolicy) {
        [source, dropsEqualValues] in
        source.subscribe($0, in: database, dropsEqualValues: dropsEqualValues)
      },
      stage: makeStage(dropsEqualValues),
      interval: options.interval
    )
  }
}
