extension ValueObservation {
  /// The values of the observation, one after the other.
  ///
  ///     for try await items in observation.values(in: pool) {
  ///       print(items.count)
  ///     }
  ///
  /// Each iteration observes separately, from its first step until its task is cancelled, its
  /// iterator is released or the database is closed. The first error ends the iteration with that
  /// error. An iteration over ``results(in:bufferingPolicy:)`` continues after errors.
  ///
  /// - Parameters:
  ///   - reader: A ``DatabasePool`` or a ``DatabaseQueue``.
  ///   - bufferingPolicy: What happens to values that come while the loop's body runs. By default,
  ///     the newest value waits and older values are dropped.
  /// - Returns: An async sequence of values.
  public func values(
    in reader: some DatabaseReader,
    bufferingPolicy: ObservationBufferingPolicy = .newest
  ) -> AsyncValueObservation<Value> {
    AsyncValueObservation(
      observation: self,
      core: reader.observableCore,
      bufferingPolicy: bufferingPolicy
    )
  }

  /// The values and errors of the observation, one after the other.
  ///
  ///     for await result in observation.results(in: pool) {
  ///       switch result {
  ///       case .success(let items): print(items.count)
  ///       case .failure(let error): print(error)  // the next success follows
  ///       }
  ///     }
  ///
  /// An error that persists comes once. The sequence ends when its task is cancelled, its iterator
  /// is released or the database is closed.
  ///
  /// - Parameters:
  ///   - reader: A ``DatabasePool`` or a ``DatabaseQueue``.
  ///   - bufferingPolicy: What happens to results that come while the loop's body runs.
  /// - Returns: An async sequence of results.
  public func results(
    in reader: some DatabaseReader,
    bufferingPolicy: ObservationBufferingPolicy = .newest
  ) -> AsyncObservationResults<Value> {
    AsyncObservationResults(
      observation: self,
      core: reader.observableCore,
      bufferingPolicy: bufferingPolicy
    )
  }

  func makeStream(
    in core: DatabaseCore,
    _ bufferingPolicy: ObservationBufferingPolicy
  ) -> any EventStream<Value> {
    pipeline.stream(in: core, options: options, bufferingPolicy: bufferingPolicy)
  }
}
