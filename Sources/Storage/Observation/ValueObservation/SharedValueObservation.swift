extension ValueObservation {
  /// Shares the observation: its followers get the values of one query, and its operators run once.
  ///
  ///     let items = observation.map(prepare).shared(in: pool)
  ///     let first = items.start(onError: { print($0) }, onChange: { print($0.count) })
  ///     for try await value in items.values() { print(value.count) }
  ///
  /// A late follower gets the latest value, without a run of the query. Observations of equal
  /// ``ObservationRequest``s share their query without this.
  ///
  /// - Parameters:
  ///   - reader: A ``DatabasePool`` or a ``DatabaseQueue``. It is kept open.
  ///   - scheduler: Where callbacks are called. With `.immediate`, the first one comes before
  ///     `start` returns, unless another follower has just started and waits for the first value.
  ///   - extent: How long the query is live.
  /// - Returns: The shared observation, which starts with its first follower.
  public func shared(
    in reader: some DatabaseReader,
    scheduling scheduler: some ValueObservationScheduler = .async,
    extent: SharedValueObservation<Value>.Extent = .whileObserved
  ) -> SharedValueObservation<Value> {
    SharedValueObservation(
      self,
      core: reader.observableCore,
      scheduler: scheduler,
      extent: extent
    )
  }
}

/// An observation whose query and operators run once for all followers: see
/// ``ValueObservation/shared(in:scheduling:extent:)``.
public final class SharedValueObservation<Value: Sendable>: Sendable {
  /// How long the query of a shared observation is live.
  public enum Extent: Sendable {
    /// From the first follower until the shared observation is released.
    case observationLifetime
    /// While it has followers.
    case whileObserved
  }

  private let hub: any ReleasableHub
  private let core: DatabaseCore
  private let scheduler: any ValueObservationScheduler
  private let observation: ValueObservation<Value>

  init(
    _ observation: ValueObservation<Value>,
    core: DatabaseCore,
    scheduler: any ValueObservationScheduler,
    extent: Extent
  ) {
    let shared = observation.pipeline.shared(
      in: core,
      options: observation.options,
      staysLive: extent == .observationLifetime
    )
    hub = shared.hub
    self.core = core
    self.scheduler = scheduler
    self.observation = ValueObservation(pipeline: shared.pipeline)
  }

  deinit {
    hub.release()
  }

  /// Calls closures with the values and errors, as `start(in:scheduling:onError:onChange:)`
  /// does.
  ///
  /// - Parameters:
  ///   - onError: Called when the query fails; once for an error that persists.
  ///   - onChange: Called with each value.
  /// - Returns: An object that ends this follower's observation, when it is cancelled or released.
  public func start(
    onError: @escaping @Sendable (any Error) -> Void,
    onChange: @escaping @Sendable (Value) -> Void
  ) -> AnyDatabaseCancellable {
    observation.start(core, scheduler, onError: onError) { value, _ in onChange(value) }
  }

  /// The values, one after the other. The first error ends the iteration with that error.
  ///
  /// - Parameter bufferingPolicy: The treatment of values that come while the loop's body runs.
  /// - Returns: An async sequence of values.
  public func values(
    bufferingPolicy: ObservationBufferingPolicy = .newest
  ) -> AsyncValueObservation<Value> {
    AsyncValueObservation(observation: observation, core: core, bufferingPolicy: bufferingPolicy)
  }

  /// The values and errors, one after the other.
  ///
  /// - Parameter bufferingPolicy: The treatment of results that come while the loop's body runs.
  /// - Returns: An async sequence of results.
  public func results(
    bufferingPolicy: ObservationBufferingPolicy = .newest
  ) -> AsyncObservationResults<Value> {
    AsyncObservationResults(observation: observation, core: core, bufferingPolicy: bufferingPolicy)
  }
}
