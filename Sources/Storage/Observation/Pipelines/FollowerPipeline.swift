/// A pipeline whose last stages each follower of a shared observation has by itself, because they depend on
/// the values that this follower has seen.
struct FollowerPipeline<Base: Sendable, Value: Sendable>: ObservationPipeline {
  typealias Stages = @Sendable (any ObservationPipeline<Base>) -> any ObservationPipeline<Value>

  let upstream: any ObservationPipeline<Base>
  /// Adds the last stages.
  let addStages: Stages

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
    in core: DatabaseCore,
    options: ObservationOptions,
    scheduler: any ValueObservationScheduler,
    handler: @escaping @Sendable (ObservedEvent<Value>) -> Void
  ) -> LiveObservation {
    whole.callback(in: core, options: options, scheduler: scheduler, handler: handler)
  }

  func stream(
    in core: DatabaseCore,
    options: ObservationOptions,
    bufferingPolicy: ObservationBufferingPolicy
  ) -> any EventStream<Value> {
    whole.stream(in: core, options: options, bufferingPolicy: bufferingPolicy)
  }

  func shared(
    in core: DatabaseCore,
    options: ObservationOptions,
    staysLive: Bool
  ) -> SharedPipeline<Value> {
    let shared = upstream.shared(in: core, options: options, staysLive: staysLive)
    return SharedPipeline(pipeline: addStages(shared.pipeline), release: shared.release)
  }
}
