/// A key whose value is fetched from a database, and again after each commit that changes it.
///
/// Make one with `.fetchAll(sql:)`, `.fetchOne(sql:)`, `.fetchCount(_:)` or `.fetch(_:)`. It takes the
/// default database when it is made, unless it is given one: see ``setDefaultDatabase(_:)``.
public struct FetchKey<Value: Sendable>: SharedReaderKey {
  /// The database when there is one.
  let database: (any DatabaseReader)?
  let request: any ObservationRequest<Value>
  private let delivery: Delivery

  /// What makes two keys equal: the database and the request.
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

  /// Fetches the value anew; the first one comes by the subscription.
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

  /// Observes the database. The first value of a new reader is fetched before this returns.
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

  // Equal requests of other keys, or of a `ValueObservation`, are the same observation.
  private var observation: ValueObservation<Value> { ValueObservation.tracking(request) }
}

extension FetchKey: CustomStringConvertible {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public var description: String { "FetchKey(\(request))" }
}

extension FetchKey: LiveKey {
  var identity: KeyIdentity { KeyIdentity(self, delivery: delivery.identity) }
}

/// The identity of a ``FetchKey``: a database and a request.
public struct FetchKeyID: Hashable, @unchecked Sendable {
  // Safe to share: a request is Sendable, which its type-erased form does not say.
  let database: ObjectIdentifier?
  private let request: AnyHashable

  init(database: ObjectIdentifier?, request: some ObservationRequest) {
    self.database = database
    self.request = AnyHashable(request)
  }
}
