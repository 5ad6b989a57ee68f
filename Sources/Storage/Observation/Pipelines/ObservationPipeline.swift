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
