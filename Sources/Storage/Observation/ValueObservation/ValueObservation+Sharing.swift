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
