internal import WellspringSystem

/// A query whose value is observed: it is fetched now, and again after each commit that changes the
/// rows and columns that it reads.
///
///     let observation = ValueObservation.tracking { db in
///       try Item.fetchAll(db, sql: "SELECT * FROM item ORDER BY name")
///     }
///     for try await items in observation.values(in: pool) {
///       print(items.count)
///     }
///
/// - The first value is the current one. It does not wait for a running write of a pool.
/// - After any commit that changes the result, by this process or another one, a value follows that
///   includes it. When commits come faster than values are taken, the newest value wins.
/// - No value shows uncommitted data, and no value is older than the one before it.
/// - An equal value is not delivered when `Value` is `Equatable`.
/// - A query that fails is run again when the cause may have passed.
/// - When the file of a pool that writes is moved or replaced, an error says so, and nothing more
///   is committed to it while there are observations. A pool that only watches follows the new
///   file.
///
/// The library finds the region of the query each time it runs, so each run may read other tables.
public struct ValueObservation<Value: Sendable>: Sendable {
  var pipeline: ObservationPipeline<Value>
  var options = ObservationOptions()

  init(pipeline: ObservationPipeline<Value>) {
    self.pipeline = pipeline
  }

  init(source: ObservationSource<Value>) {
    self.init(pipeline: ObservationPipeline(source: source))
  }

  /// Returns an observation of another pipeline, with the options of this one.
  func with<New: Sendable>(
    _ pipeline: ObservationPipeline<New>
  ) -> ValueObservation<New> {
    var observation = ValueObservation<New>(pipeline: pipeline)
    observation.options = options
    return observation
  }

  /// Observes the value that a closure fetches.
  ///
  /// - Parameter fetch: Reads the database, and nothing else that changes. It is called on various
  ///   threads, one call at a time.
  /// - Returns: An observation that has not been started.
  public static func tracking(
    _ fetch: @escaping @Sendable (Database) throws -> Value
  ) -> ValueObservation {
    ValueObservation(source: .query { { db, _ in try fetch(db) } })
  }

  /// Observes the value that a request fetches.
  ///
  /// Observations of equal requests to one database share one query: it runs once for each change.
  /// A late subscriber gets the latest value.
  ///
  /// - Parameter request: The request.
  /// - Returns: An observation that has not been started.
  public static func tracking<Request: ObservationRequest<Value>>(
    _ request: Request
  ) -> ValueObservation {
    ValueObservation(source: .request(request) { { db, _ in try request.fetch(db) } })
  }
}

extension ValueObservation {
  /// Runs the query once, without blocking the calling thread, and returns its value.
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
  // Guards the latest event of an observation that is made for one value.
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

extension ValueObservation {
  /// Turns each value into another one.
  ///
  ///     let names = ValueObservation.tracking { db in try Item.fetchAll(db) }
  ///       .map { items in items.map(\.name) }
  ///
  /// The closure runs outside the database access, where the values are delivered. It does not run
  /// for values that are skipped because newer ones have come. A result that is equal to the one
  /// before is not delivered, unless ``allowDuplicates()`` was called.
  ///
  /// - Parameter transform: Makes the new value. An error that it throws is delivered like an error
  ///   of the query, and does not end the observation.
  /// - Returns: An observation that still shares its query with observations of equal requests.
  public func map<New: Sendable>(
    _ transform: @escaping @Sendable (Value) throws -> New
  ) -> ValueObservation<New> {
    let mapped: ObservationPipeline<New> = pipeline.appending {
      { event in event.map(transform) }
    }
    guard pipeline.dropsEqualValues, isEquatable(New.self) else { return with(mapped) }
    return with(mapped.droppingEqual { areEquatablesEqual($0, $1) })
  }

  /// Returns the same observation, with the number of each value's snapshot.
  public func numbered() -> ValueObservation<Numbered<Value>> {
    with(pipeline.appending { { event in event.numbered } })
  }
}

extension ValueObservation {
  /// Delivers at most one value in each interval: the first value immediately, and the newest of
  /// the following values at the end of the interval.
  ///
  ///     for try await items in observation.throttle(for: .seconds(1)).values(in: pool) {
  ///       await send(items)
  ///     }
  ///
  /// The last value is never lost. Errors are held back in the same way. During the interval, the
  /// query does not run, unless another observation of the same request wants its value.
  ///
  /// - Parameter interval: The shortest time between two values.
  /// - Returns: An observation that has not been started.
  public func throttle(for interval: Duration) -> ValueObservation {
    var observation = self
    observation.options.interval = max(interval, options.interval ?? .zero)
    return observation
  }

  /// Returns an observation whose query need not run within an interval after a run, because its
  /// subscriber holds values back for as long.
  package func paced(by interval: Duration) -> ValueObservation {
    var observation = self
    observation.options.pace = interval
    return observation
  }
}

extension ValueObservation {
  /// Returns an observation whose receiver holds values back.
  ///
  /// - Parameter flush: Delivers the value that is held back, and then calls its completion. It is
  ///   called when the observation is refreshed, and when the database is to become quiet.
  /// - Returns: An observation that has not been started.
  package func flushing(
    _ flush: @escaping @Sendable (_ completion: @escaping @Sendable () -> Void) -> Void
  ) -> ValueObservation {
    var observation = self
    observation.options.flushDownstream = flush
    return observation
  }
}

extension ValueObservation {
  /// Not available: observations read in a read-only access, so that they share their runs.
  @available(
    *,
    unavailable,
    message: "an observation only reads: write before it starts, or in onChange"
  )
  public var requiresWriteAccess: Bool {
    get { fatalError("unavailable") }
    set { fatalError("unavailable") }
  }
}

/// Names of observed values, for types that are spelled as in GRDB.
///
/// A ``ValueObservation`` has the type of its values as its one parameter. Each name is an alias
/// for a type of values:
///
///     let observation: ValueObservation<ValueReducers.Fetch<[Item]>>
///     // ValueObservation<[Item]>
public enum ValueReducers {
  /// The values that an observation fetches.
  public typealias Fetch<Value> = Value
  /// The values that an observation makes from the values of another one.
  public typealias Map<Base, Value> = Value
  /// The values of an observation without equal ones in succession.
  public typealias RemoveDuplicates<Base> = Base
  /// The values of an observation whose events are printed or handled.
  public typealias Trace<Base> = Base
}
