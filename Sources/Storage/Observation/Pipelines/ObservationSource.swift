internal import WellspringPlatform

/// The source of an observation's events.
enum ObservationSource<Value: Sendable>: Sendable {
  /// Makes the fetch of one query, which may keep state from run to run.
  typealias MakeFetch = @Sendable () -> ObservationFetch<Value>

  /// A separate query for each subscriber.
  case query(MakeFetch)
  /// One query for all observations of equal requests to one database.
  case request(any Hashable & Sendable, MakeFetch)
  /// An observation that its followers share.
  case hub(ObservationHub<Value>)

  /// Makes a subscription, without starting it. The subscriber must expect values of type `Value`,
  /// and wants no other one within the pace.
  func subscribe(
    _ subscriber: any ObservationSubscriber,
    in database: any ObservedDatabase,
    dropsEqualValues: Bool,
    pace: Duration?
  ) -> any ObservationSubscription {
    switch self {
    case .query(let makeFetch):
      let query = makeQuery(makeFetch, in: database, dropsEqualValues: dropsEqualValues)
      return QuerySubscription(to: query, in: database, subscriber, pace: pace)
    case .request(let request, let makeFetch):
      // The other observations of the request want equal values to be dropped.
      let argumentsAreConstant = Self.hasConstantArguments(request)
      guard dropsEqualValues || !isEquatable(Value.self) else {
        let query = makeQuery(
          makeFetch,
          in: database,
          dropsEqualValues: false,
          argumentsAreConstant: argumentsAreConstant
        )
        return QuerySubscription(to: query, in: database, subscriber, pace: pace)
      }
      let identity = AnyHashable(request)
      let query = database.broker.sharedQueries.object(
        for: identity,
        isUsable: { (known: ObservedQuery) in
          known.fetcher is TypedQueryFetcher<Value> && known.hold()
        },
        make: {
          makeQuery(
            makeFetch,
            in: database,
            dropsEqualValues: true,
            patcher: Self.makePatcher(of: request),
            argumentsAreConstant: argumentsAreConstant
          )
        }
      )
      return QuerySubscription(
        to: query,
        in: database,
        subscriber,
        sharedHash: identity.hashValue,
        pace: pace
      )
    case .hub(let hub):
      return HubSubscription(to: hub, subscriber)
    }
  }

  private static func hasConstantArguments(_ request: any Hashable & Sendable) -> Bool {
    switch request {
    case let request as any PatchableRequest: request.request is any ConstantFetchRequest
    case let request as any SingleElementRequest: request.request is any ConstantFetchRequest
    default: false
    }
  }

  private static func makePatcher(of request: any Hashable & Sendable) -> (any ValuePatcher<Value>)?
  {
    let patcher: Any? =
      switch request {
      case let request as any PatchableRequest: request.makePatcher()
      case let request as any SingleElementRequest: request.makePatcher()
      default: nil
      }
    return patcher as? any ValuePatcher<Value>
  }

  private func makeQuery(
    _ makeFetch: MakeFetch,
    in database: any ObservedDatabase,
    dropsEqualValues: Bool,
    patcher: (any ValuePatcher<Value>)? = nil,
    argumentsAreConstant: Bool = false
  ) -> ObservedQuery {
    ObservedQuery(
      id: database.broker.makeID(),
      fetcher: TypedQueryFetcher(
        dropsEqualValues: dropsEqualValues,
        patcher: patcher,
        fetch: makeFetch()
      ),
      argumentsAreConstant: argumentsAreConstant
    )
  }

  /// Returns the same source, which also notifies handlers of the runs of its query. It shares its
  /// query with no other observation.
  func handling(_ handlers: QueryEventHandlers) -> Self {
    switch self {
    case .query(let makeFetch), .request(_, let makeFetch):
      .query { handlers.wrap(makeFetch()) }
    case .hub:
      // A hub has no query.
      self
    }
  }
}
