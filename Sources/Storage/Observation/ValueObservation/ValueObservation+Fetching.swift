internal import WellspringPlatform

extension ValueObservation {
  /// Runs the query once, without blocking the calling thread, and returns what it fetches.
  ///
  ///     let stock = ValueObservation.tracking(StockRequest(warehouse: 1))
  ///     let count = try await stock.fetch(in: pool)
  ///
  /// Where an equal request is being observed, its query runs: the subscribers get the value too if
  /// it differs from the last one.
  ///
  /// - Parameter reader: A ``DatabasePool`` or a ``DatabaseQueue``.
  /// - Returns: The value of a run that began after the call.
  /// - Throws: The error of the query, or `CancellationError`.
  public func fetch(in reader: some DatabaseReader) async throws -> Value {
    let latest = LatestEvent<Value>()
    let live = pipeline.callback(
      in: reader.observableCore,
      options: options,
      scheduler: .async
    ) { event in
      latest.receive(event)
    }
    defer { live.end() }
    await Promise<Void>.value { promise in
      live.startWithNewRun { promise.fulfil(()) }
    } onCancel: {
      ()
    }
    try Task.checkCancellation()
    return try latest.value()
  }
}

/// The latest event of an observation that is made for one value.
private final class LatestEvent<Value: Sendable>: Sendable {
  // Guards the event.
  private let event = Lock(AnyObservedMoment?.none)

  func receive(_ new: AnyObservedMoment) {
    let replaced = event.withLock { event in
      defer { event = new }
      return event
    }
    withExtendedLifetime(replaced) {}
  }

  func value() throws -> Value {
    switch event.withLock({ $0 })?.event(of: Value.self) {
    case .value(let numbered): return numbered.value
    case .failure(let error): throw error
    case .closed, nil: throw DatabaseError.databaseIsClosed
    }
  }
}
