internal import WellspringPlatform

/// A query whose value is followed: it is fetched now, and again after each commit that changes what
/// it reads.
///
///     let observation = ValueObservation.tracking { db in
///       try Item.fetchAll(db, sql: "SELECT * FROM item ORDER BY name")
///     }
///     for try await items in observation.values(in: pool) {
///       print(items.count)
///     }
///
/// - The first value is the current one. It does not wait for a running write of a pool.
/// - After any commit that changes the result, whoever made it (this process or another one), a value
///   follows that includes it. When commits come faster than values are taken, the newest wins.
/// - No value shows what was not committed, and none is older than the one before it.
/// - An equal value is not delivered when `Value` is `Equatable`.
/// - A query that fails is run again when what it failed of may have passed.
/// - When the file of a pool that writes is moved or replaced, an error says so, and nothing more is committed
///   to it while somebody observes. A pool that only watches follows the new file.
///
/// What the query reads is found out each time it runs; it may read other tables each time.
public struct ValueObservation<Value: Sendable>: Sendable {
  var pipeline: any ObservationPipeline<Value>
  var options = ObservationOptions()
  /// Whether values that `==` finds equal are dropped.
  var dropsEqualValues = true

  init(pipeline: any ObservationPipeline<Value>) {
    self.pipeline = pipeline
  }

  init(source: ObservationSource<Value>) {
    self.init(pipeline: StagedPipeline(source: source, makeStage: { _ in { $0 } }))
  }

  init(makeFetch: @escaping @Sendable () -> ObservationSource<Value>.Fetch) {
    self.init(
      source: ObservationSource(makeFetch: makeFetch, areEqual: equality(of: Value.self))
    )
  }

  /// Another pipeline, with the options of this observation.
  func with<New: Sendable>(
    _ pipeline: any ObservationPipeline<New>
  ) -> ValueObservation<New> {
    var observation = ValueObservation<New>(pipeline: pipeline)
    observation.options = options
    observation.dropsEqualValues = dropsEqualValues
    return observation
  }

  /// Observes what a closure fetches.
  ///
  /// - Parameter fetch: Reads the database, and nothing else that changes. It is called on various
  ///   threads, one call at a time.
  /// - Returns: An observation that has not been started.
  public static func tracking(
    _ fetch: @escaping @Sendable (Database) throws -> Value
  ) -> ValueObservation {
    ValueObservation(makeFetch: { { db, _ in try fetch(db) } })
  }

  /// Observes what a request fetches.
  ///
  /// Observations of equal requests to one database are one: the query runs once for each change, and
  /// its value is shared. Whoever comes late gets the value that is there.
  ///
  /// - Parameter request: What to fetch.
  /// - Returns: An observation that has not been started.
  public static func tracking<Request: ObservationRequest<Value>>(
    _ request: Request
  ) -> ValueObservation {
    let own = ObservationSource<Value>(
      makeFetch: { { db, _ in try request.fetch(db) } },
      areEqual: equality(of: Value.self)
    )
    var shared = own
    shared.subscribeToShared = { core, subscriber in
      let query = core.broker.sharedQueries.object(
        for: AnyHashable(request),
        isUsable: { (known: TypedObservedQuery<Value>) in known.hold() },
        make: { own.makeQuery(in: core) }
      )
      return ObservationSubscription(to: query, in: core, subscriber)
    }
    return ValueObservation(source: shared)
  }
}

// MARK: - Callbacks

extension ValueObservation {
  /// Starts the observation, and calls closures with its values and errors.
  ///
  ///     let cancellable = observation.start(in: pool) { error in
  ///       print(error)
  ///     } onChange: { items in
  ///       print(items.count)
  ///     }
  ///
  /// An error does not end the observation: `onChange` is called again when the query succeeds. The
  /// database may be used from the closures in any way. The observation keeps the database open; when
  /// it is closed, `onError` is called with a ``DatabaseError``, and nothing follows.
  ///
  /// - Parameters:
  ///   - reader: A ``DatabasePool`` or a ``DatabaseQueue``.
  ///   - scheduler: Where the closures are called: on threads of the library, unless something else
  ///     is given; one call at a time. With `.immediate` the first call comes before `start` returns.
  ///   - onError: Called when the query fails; once for an error that persists.
  ///   - onChange: Called with each value.
  /// - Returns: What ends the observation, when it is cancelled or released.
  public func start(
    in reader: some DatabaseReader,
    scheduling scheduler: some ValueObservationScheduler = .async,
    onError: @escaping @Sendable (any Error) -> Void,
    onChange: @escaping @Sendable (Value) -> Void
  ) -> AnyDatabaseCancellable {
    start(reader.observableCore, scheduler, onError: onError, onChange: onChange)
  }

  func start(
    _ core: DatabaseCore,
    _ scheduler: any ValueObservationScheduler,
    onError: @escaping @Sendable (any Error) -> Void,
    onChange: @escaping @Sendable (Value) -> Void
  ) -> AnyDatabaseCancellable {
    let live = pipeline.callback(in: core, options: options, scheduler: scheduler) { event in
      switch event {
      case .value(let numbered): onChange(numbered.value)
      case .failure(let error): onError(error)
      case .closed: onError(DatabaseError.databaseIsClosed)
      }
    }
    if scheduler.isImmediate { live.startAndWait() } else { live.start() }
    return AnyDatabaseCancellable(live)
  }
}
