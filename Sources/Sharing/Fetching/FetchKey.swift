/// A key whose value is fetched from a database, and again after each commit that changes it.
///
/// Create a key with `.fetchAll(sql:)`, `.fetchOne(sql:)`, `.fetchCount(_:)` or `.fetch(_:)`. A key
/// without a database captures the default database when it is created: see
/// ``setDefaultDatabase(_:)``.
public struct FetchKey<Value: Sendable>: SharedReaderKey {
  /// The database; `nil` when none was given and there was no default database.
  let database: (any DatabaseReader)?
  let request: any ObservationRequest<Value>
  private let delivery: Delivery

  /// The identity of the key: its database and its request.
  public let id: FetchKeyID

  init(
    _ request: some ObservationRequest<Value>,
    database: (any DatabaseReader)?,
    scheduler: some ValueObservationScheduler = .async
  ) {
    let database = database ?? defaultDatabase
    self.request = request
    self.database = database
    delivery = Delivery(scheduler)
    id = FetchKeyID(database: database.map(ObjectIdentifier.init), request: request)
  }

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
    guard let database else {
      subscriber.yield(throwing: NoDefaultDatabase())
      return SharedSubscription {}
    }
    let cancellable = observation.start(
      in: database,
      scheduling: delivery.scheduler(for: context)
    ) { error in
      if let error = error as? DatabaseError, error.isDatabaseClosed {
        subscriber.finish(throwing: error)
      } else {
        subscriber.yield(throwing: error)
      }
    } onChange: { value in
      subscriber.yield(value)
    }
    return SharedSubscription(cancellable)
  }

  // Equal requests share one observation, whether they come from a key or a `ValueObservation`.
  private var observation: ValueObservation<Value> { ValueObservation.tracking(request) }
}

extension FetchKey: CustomStringConvertible {
  /// The function that creates the key, and the SQL. It omits the values, which may be personal data.
  ///
  ///     fetchAll(SELECT * FROM item WHERE id = ?)
  public var description: String { request.nameInReports }
}

extension FetchKey: LiveKey {
  var identity: KeyIdentity { KeyIdentity(self, delivery: delivery.identity) }
}
