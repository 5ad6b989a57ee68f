internal import WellspringPlatform

extension ValueObservation {
  /// Shares the observation: whoever follows it gets the values of one query, whose operators run once.
  ///
  ///     let items = observation.map(prepare).shared(in: pool)
  ///     let first = items.start(onError: { print($0) }, onChange: { print($0.count) })
  ///     for try await value in items.values() { print(value.count) }
  ///
  /// Whoever comes late gets the value that is there, without a run of the query. Observations of equal
  /// ``ObservationRequest``s share their query anyway.
  ///
  /// - Parameters:
  ///   - reader: A ``DatabasePool`` or a ``DatabaseQueue``. It is kept open.
  ///   - scheduler: Where callbacks are called. With `.immediate`, the first one comes before `start`
  ///     returns, unless another follower has just started and waits for the first value.
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

/// An observation whose query and operators run once for all who follow it: see
/// ``ValueObservation/shared(in:scheduling:extent:)``.
public final class SharedValueObservation<Value: Sendable>: Sendable {
  /// How long the query of a shared observation is live.
  public enum Extent: Sendable {
    /// From the first follower until the shared observation is released.
    case observationLifetime
    /// While somebody follows it.
    case whileObserved
  }

  private let release: @Sendable () -> Void
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
    release = shared.release
    self.core = core
    self.scheduler = scheduler
    self.observation = ValueObservation(pipeline: shared.pipeline)
  }

  deinit {
    release()
  }

  /// Calls closures with the values and errors, as `start(in:scheduling:onError:onChange:)`
  /// does.
  ///
  /// - Parameters:
  ///   - onError: Called when the query fails; once for an error that persists.
  ///   - onChange: Called with each value.
  /// - Returns: What ends to follow, when it is cancelled or released.
  public func start(
    onError: @escaping @Sendable (any Error) -> Void,
    onChange: @escaping @Sendable (Value) -> Void
  ) -> AnyDatabaseCancellable {
    observation.start(core, scheduler, onError: onError, onChange: onChange)
  }

  /// The values, one after the other. The first error ends the iteration with that error.
  ///
  /// - Parameter bufferingPolicy: What happens to values that come while the loop's body runs.
  /// - Returns: An async sequence of values.
  public func values(
    bufferingPolicy: ObservationBufferingPolicy = .newest
  ) -> AsyncValueObservation<Value> {
    AsyncValueObservation(observation: observation, core: core, bufferingPolicy: bufferingPolicy)
  }

  /// The values and errors, one after the other.
  ///
  /// - Parameter bufferingPolicy: What happens to results that come while the loop's body runs.
  /// - Returns: An async sequence of results.
  public func results(
    bufferingPolicy: ObservationBufferingPolicy = .newest
  ) -> AsyncObservationResults<Value> {
    AsyncObservationResults(observation: observation, core: core, bufferingPolicy: bufferingPolicy)
  }
}
