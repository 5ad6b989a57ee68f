/// A pipeline whose last stages each follower of a shared observation runs separately, because they
/// depend on the values that this follower has seen.
struct FollowerPipeline<Base: Sendable, Value: Sendable>: ObservationPipeline {
  typealias Stages = @Sendable (any ObservationPipeline<Base>) -> any ObservationPipeline<Value>

  let upstream: any ObservationPipeline<Base>
  /// Adds the last stages.
  let addStages: Stages

  // The last stages may make equal values from different ones, such as two equal changes: both
  // count.
  var dropsEqualValues: Bool { false }

  private var whole: any ObservationPipeline<Value> { addStages(upstream) }

  func appending<New: Sendable>(
    _ makeStage: @escaping @Sendable () -> ObservationStage<Value, New>
  ) -> any ObservationPipeline<New> {
    FollowerPipeline<Base, New>(upstream: upstream) { [addStages] in
      addStages($0).appending(makeStage)
    }
  }

  func droppingEqual(
    by areEqual: @escaping @Sendable (Value, Value) -> Bool
  ) -> any ObservationPipeline<Value> {
    FollowerPipeline(upstream: upstream) { [addStages] in
      addStages($0).droppingEqual(by: areEqual)
    }
  }

  func allowingDuplicates() -> any ObservationPipeline<Value> {
    FollowerPipeline(upstream: upstream.allowingDuplicates()) { [addStages] in
      addStages($0).allowingDuplicates()
    }
  }

  func handling(_ handlers: QueryEventHandlers) -> any ObservationPipeline<Value> {
    FollowerPipeline(upstream: upstream.handling(handlers), addStages: addStages)
  }

  func callback(
    in database: any ObservedDatabase,
    options: ObservationOptions,
    scheduler: any ValueObservationScheduler,
    handler: @escaping @Sendable (AnyObservedMoment) -> Void
  ) -> CallbackObservation {
    whole.callback(in: database, options: options, scheduler: scheduler, handler: handler)
  }

  func stream(
    in database: any ObservedDatabase,
    options: ObservationOptions,
    bufferingPolicy: ObservationBufferingPolicy
  ) -> any EventStream<Value> {
    whole.stream(in: database, options: options, bufferingPolicy: bufferingPolicy)
  }

  func shared(
    in database: any ObservedDatabase,
    options: ObservationOptions,
    staysLive: Bool
  ) -> (pipeline: any ObservationPipeline<Value>, hub: any ReleasableHub) {
    let shared = upstream.shared(in: database, options: options, staysLive: staysLive)
    return (addStages(shared.pipeline), shared.hub)
  }
}
