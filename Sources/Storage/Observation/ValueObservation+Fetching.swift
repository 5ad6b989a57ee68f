internal import WellspringPlatform

extension ValueObservation {
  /// Runs the query once, without blocking the calling thread, and returns what it fetches.
  ///
  ///     let count = try await ValueObservation.tracking(StockRequest(warehouse: 1)).fetch(in: pool)
  ///
  /// Where an equal request is being observed, it is that query that runs: those who observe it are told
  /// first when the value differs from the one that they know.
  ///
  /// - Parameter reader: A ``DatabasePool`` or a ``DatabaseQueue``.
  /// - Returns: The value of a run that began after the call.
  /// - Throws: The error of the query, or `CancellationError`.
  public func fetch(in reader: some DatabaseReader) async throws -> Value {
    let fetch = ObservedFetch<Value>()
    let live = pipeline.callback(
      in: reader.observableCore,
      options: options,
      scheduler: .async
    ) { event in
      fetch.receive(event)
    }
    defer { live.end() }
    return try await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        fetch.begin(continuation)
        live.startAnew { fetch.end() }
      }
      return try fetch.result()
    } onCancel: {
      fetch.end()
    }
  }
}

/// The events of an observation that is made for one value.
private final class ObservedFetch<Value: Sendable>: Sendable {
  private struct State {
    var latest: ObservedEvent<Value>?
    var continuation: CheckedContinuation<Void, Never>?
    var hasEnded = false
  }

  // Guards the latest event, and who waits.
  private let state = Lock(State())

  func receive(_ event: ObservedEvent<Value>) {
    let replaced = state.withLock { state in
      defer { state.latest = event }
      return state.latest
    }
    withExtendedLifetime(replaced) {}
  }

  func begin(_ continuation: CheckedContinuation<Void, Never>) {
    let hasEnded = state.withLock { state in
      if !state.hasEnded { state.continuation = continuation }
      return state.hasEnded
    }
    if hasEnded { continuation.resume() }
  }

  /// The result is there, or the task is cancelled.
  func end() {
    let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
      state.hasEnded = true
      defer { state.continuation = nil }
      return state.continuation
    }
    waiting?.resume()
  }

  func result() throws -> Value {
    try Task.checkCancellation()
    switch state.withLock({ $0.latest }) {
    case .value(let numbered): return numbered.value
    case .failure(let error): throw error
    case .closed, nil: throw DatabaseError.databaseIsClosed
    }
  }
}
