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
///
/// What the query reads is found out each time it runs; it may read other tables each time.
public struct ValueObservation<Value: Sendable>: Sendable {
  let fetch: @Sendable (Database, _ number: UInt64) throws -> Value
  let areEqual: (@Sendable (Value, Value) -> Bool)?
  /// Subscribes to the one query of all equal requests; `nil` for a query of its own.
  var subscribeToShared: SharedSubscription?

  typealias SharedSubscription =
    @Sendable (DatabaseCore, any ObservationSubscriber<Value>) -> ObservationSubscription<Value>

  /// Observes what a closure fetches.
  ///
  /// - Parameter fetch: Reads the database, and nothing else that changes. It is called on various
  ///   threads, one call at a time.
  /// - Returns: An observation that has not been started.
  public static func tracking(
    _ fetch: @escaping @Sendable (Database) throws -> Value
  ) -> ValueObservation {
    ValueObservation(fetch: { db, _ in try fetch(db) }, areEqual: equality(of: Value.self))
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
    var observation = ValueObservation.tracking { db in try request.fetch(db) }
    let own = observation
    observation.subscribeToShared = { core, subscriber in
      let query = core.broker.sharedQueries.object(
        for: AnyHashable(request),
        isUsable: { (known: TypedObservedQuery<Value>) in known.hold() },
        make: {
          let query = own.makeQuery(in: core)
          _ = query.hold()
          return query
        }
      )
      return ObservationSubscription(to: query, in: core, subscriber)
    }
    return observation
  }

  /// A subscription that has not been started.
  func subscribe(
    _ subscriber: any ObservationSubscriber<Value>,
    in core: DatabaseCore
  ) -> ObservationSubscription<Value> {
    if let subscribeToShared { return subscribeToShared(core, subscriber) }
    let query = makeQuery(in: core)
    _ = query.hold()
    return ObservationSubscription(to: query, in: core, subscriber)
  }

  private func makeQuery(in core: DatabaseCore) -> TypedObservedQuery<Value> {
    TypedObservedQuery(id: core.broker.makeID(), fetch: fetch, areEqual: areEqual)
  }

  /// The same observation, with the number of each value's snapshot.
  public func numbered() -> ValueObservation<Numbered<Value>> {
    let fetch = fetch
    var areNumberedEqual: (@Sendable (Numbered<Value>, Numbered<Value>) -> Bool)?
    if let areEqual { areNumberedEqual = { areEqual($0.value, $1.value) } }
    var numbered = ValueObservation<Numbered<Value>>(
      fetch: { db, number in Numbered(number: number, value: try fetch(db, number)) },
      areEqual: areNumberedEqual
    )
    if let subscribeToShared {
      numbered.subscribeToShared = { core, subscriber in
        let number = { @Sendable (event: ObservedEvent<Value>) in event.numbered }
        let base = subscribeToShared(core, TransformingSubscriber(subscriber, transform: number))
        return ObservationSubscription(base, transform: number)
      }
    }
    return numbered
  }
}

/// The `==` of a type that is `Equatable`, as far as can be told at run time: an `Array` is when its
/// elements are.
private func equality<Value>(of type: Value.Type) -> (@Sendable (Value, Value) -> Bool)? {
  guard type is any Equatable.Type else { return nil }
  // The type is looked up again for each comparison: a closure that crosses threads cannot hold it.
  return { left, right in
    func isEqual<Other: Equatable>(_ left: Other) -> Bool { left == (right as! Other) }
    let left = left as! any Equatable
    return isEqual(left)
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
    let handle: @Sendable (ObservedEvent<Value>) -> Void = { event in
      switch event {
      case .value(let numbered): onChange(numbered.value)
      case .failure(let error): onError(error)
      case .closed: onError(DatabaseError.databaseIsClosed)
      }
    }
    let core = reader.observableCore
    let subscriber = CallbackSubscriber(scheduler: scheduler, handler: handle)
    let subscription = subscribe(subscriber, in: core)
    if !scheduler.isImmediate {
      subscription.start()
    } else if let first = subscription.startAndWait() {
      ThreadScope.callback.run { handle(first.event) }
    }
    return AnyDatabaseCancellable {
      subscriber.cancel()
      subscription.end()
    }
  }
}
