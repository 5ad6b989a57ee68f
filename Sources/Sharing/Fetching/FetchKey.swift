/// A key whose value is fetched from a database, and again after each commit that changes it.
///
/// Create a key with `.fetchAll(sql:)`, `.fetchOne(sql:)`, `.fetchCount(_:)` or `.fetch(_:)`. A key
/// without a database captures the default database when it is created. Without a default database,
/// the key reads the first one that is set: see ``setDefaultDatabase(_:)``.
public struct FetchKey<Value: Sendable>: SharedReaderKey {
  /// The database; `nil` for the default database to come.
  private let knownDatabase: (any DatabaseReader)?
  let request: any ObservationRequest<Value>
  private let delivery: Delivery
  private var limit: DeliveryLimit?

  /// The identity of the key: its database and its request.
  public let id: FetchKeyID

  init(
    _ request: some ObservationRequest<Value>,
    database: (any DatabaseReader)?,
    scheduler: some ValueObservationScheduler = .async
  ) {
    let database = database ?? defaultDatabase
    self.request = request
    knownDatabase = database
    delivery = Delivery(scheduler)
    id = FetchKeyID(database: database.map(ObjectIdentifier.init), request: request)
  }

  /// The database; `nil` when no database was given and no default database is set yet.
  var database: (any DatabaseReader)? { knownDatabase ?? DefaultDatabase.first }

  /// Fetches the value again. The first value comes from the subscription instead.
  public func load(context: LoadContext<Value>, continuation: LoadContinuation<Value>) {
    guard case .userInitiated = context else { return continuation.resumeReturningInitialValue() }
    guard let database else { return continuation.resume(throwing: NoDefaultDatabase()) }
    Task {
      do {
        continuation.resume(returning: try await observation.fetch(in: database))
      } catch {
        continuation.resume(throwing: error)
      }
    }
  }

  /// Observes the database.
  ///
  /// The first value of a new reader is fetched before this method returns.
  public func subscribe(
    context: LoadContext<Value>,
    subscriber: SharedSubscriber<Value>
  ) -> SharedSubscription {
    if let database {
      return SharedSubscription(observe(database, delivery.scheduler(for: context), subscriber))
    }
    // Before the wait begins, because a value that follows must come last.
    subscriber.yield(throwing: NoDefaultDatabase())
    let observation = LateObservation { database in
      observe(database, delivery.immediateScheduler, subscriber)
    }
    observation.startWhenPossible()
    return SharedSubscription(AnyDatabaseCancellable { observation.cancel() }) {
      observation.refresh($0)
    }
  }

  private func observe(
    _ database: any DatabaseReader,
    _ scheduler: any ValueObservationScheduler,
    _ subscriber: SharedSubscriber<Value>
  ) -> AnyDatabaseCancellable {
    guard let limit else {
      return observation.startTracing(in: database, scheduling: scheduler) { error in
        subscriber.receive(.failure(error))
      } onChange: { value, origin in
        subscriber.receive(.success((value, origin)))
      }
    }
    let limiter = DeliveryLimiter<Result<(Value, ValueOrigin?), any Error>>(
      limit,
      clock: SystemDeliveryClock.current,
      scheduler: delivery.scheduler
    ) { result in
      subscriber.receive(result)
    }
    return observation(under: limit).flushing { limiter.flush($0) }
      .startTracing(in: database, scheduling: scheduler) { error in
        guard error.isDatabaseClosed else { return limiter.receive(.failure(error)) }
        // The last value comes before the end, and both come without waiting.
        limiter.flush {
          limiter.receive(.failure(error))
          limiter.flush {}
        }
      } onChange: { value, origin in
        limiter.receive(.success((value, origin)))
      }
  }

  /// Returns a key for the same query with a limit.
  func limited(_ limit: DeliveryLimit) -> FetchKey {
    var key = self
    key.limit = limit
    return key
  }

  // Equal requests share one observation, whether they come from a key or a `ValueObservation`.
  private var observation: ValueObservation<Value> { ValueObservation.tracking(request) }

  /// The observation, whose query does not run while a throttled value would be held back. A
  /// debounced query runs after each commit: only a run tells whether there is a newer value.
  private func observation(under limit: DeliveryLimit) -> ValueObservation<Value> {
    // Queries wait by the clock of the system, so they must not wait for a limit by another clock.
    guard case .throttle(let interval) = limit, SystemDeliveryClock.current is SystemDeliveryClock
    else { return observation }
    return observation.paced(by: interval)
  }
}

extension FetchKey: CustomStringConvertible {
  /// The function that creates the key, and the SQL. It omits the values, which may be personal
  /// data.
  ///
  /// ```text
  /// fetchAll(SELECT * FROM item WHERE id = ?)
  /// ```
  public var description: String { request.nameInReports }
}

extension FetchKey: LiveKey {
  var identity: KeyIdentity {
    guard let limit else { return KeyIdentity(self, delivery: delivery.identity) }
    return KeyIdentity(self, delivery: LimitedPlace(place: delivery.identity, limit: limit))
  }

  // A value between two equal ones may have been held back and replaced.
  var mayRepeatValues: Bool { limit != nil }
}

/// The place where values are delivered under a limit.
private struct LimitedPlace: Hashable {
  let place: AnyHashable?
  let limit: DeliveryLimit
}

extension SharedSubscriber {
  /// Delivers the result of an observation.
  fileprivate func receive(_ result: Result<(Value, ValueOrigin?), any Error>) {
    switch result {
    case .success((let value, let origin)): yield(value, origin)
    case .failure(let error) where error.isDatabaseClosed: finish(throwing: error)
    case .failure(let error): yield(throwing: error)
    }
  }
}

extension Error {
  fileprivate var isDatabaseClosed: Bool { (self as? DatabaseError)?.isDatabaseClosed == true }
}
