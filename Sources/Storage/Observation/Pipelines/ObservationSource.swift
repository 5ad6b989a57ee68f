internal import WellspringSystem

/// The source of an observation's events, whatever the type of its values.
protocol ObservationSourcing: Sendable {
  /// Makes a subscription, without starting it. The subscriber must expect values of the source's
  /// type, and wants no other value within the pace.
  func subscribe(
    _ subscriber: any ObservationSubscriber,
    in database: any ObservedDatabase,
    dropsEqualValues: Bool,
    pace: Duration?
  ) -> any ObservationSubscription

  /// Returns the same source, which also notifies handlers of the runs of its query. It shares its
  /// query with no other observation.
  func handling(_ handlers: QueryEventHandlers) -> any ObservationSourcing
}

/// A query as the source of an observation's events.
enum ObservationSource<Value: Sendable>: ObservationSourcing {
  /// Makes the fetch of one query, which may keep state from run to run.
  typealias MakeFetch = @Sendable () -> ObservationFetch<Value>

  /// A separate query for each subscriber. Each of its runs may have the same statements with the
  /// same arguments.
  case query(MakeFetch, argumentsAreConstant: Bool = false)
  /// One query for all observations of equal requests to one database.
  case request(any Hashable & Sendable, MakeFetch)

  func subscribe(
    _ subscriber: any ObservationSubscriber,
    in database: any ObservedDatabase,
    dropsEqualValues: Bool,
    pace: Duration?
  ) -> any ObservationSubscription {
    switch self {
    case .query(let makeFetch, let argumentsAreConstant):
      let query = makeQuery(
        makeFetch,
        in: database,
        dropsEqualValues: dropsEqualValues,
        argumentsAreConstant: argumentsAreConstant
      )
      return QuerySubscription(to: query, in: database, subscriber, pace: pace)
    case .request(let request, let makeFetch):
      // The other observations of the request want equal values to be dropped.
      guard dropsEqualValues || !isEquatable(Value.self) else {
        let query = makeQuery(
          makeFetch,
          in: database,
          dropsEqualValues: false,
          argumentsAreConstant: Self.facts(of: request).argumentsAreConstant
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
          let (argumentsAreConstant, patcher) = Self.facts(of: request)
          return makeQuery(
            makeFetch,
            in: database,
            dropsEqualValues: true,
            patcher: patcher,
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
    }
  }

  /// Returns whether each run of a request has the same arguments, and the patcher of its value.
  private static func facts(
    of request: any Hashable & Sendable
  ) -> (argumentsAreConstant: Bool, patcher: (any ValuePatcher<Value>)?) {
    switch request {
    case let request as any PatchableRequest:
      (
        request.request is any ConstantFetchRequest,
        request.makePatcher() as? any ValuePatcher<Value>
      )
    case let request as any SingleElementRequest:
      (
        request.request is any ConstantFetchRequest,
        request.makePatcher() as? any ValuePatcher<Value>
      )
    default: (false, nil)
    }
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

  func handling(_ handlers: QueryEventHandlers) -> any ObservationSourcing {
    switch self {
    case .query(let makeFetch, let argumentsAreConstant):
      ObservationSource.query(
        { handlers.wrap(makeFetch()) },
        argumentsAreConstant: argumentsAreConstant
      )
    case .request(let request, let makeFetch):
      ObservationSource.query(
        { handlers.wrap(makeFetch()) },
        argumentsAreConstant: Self.facts(of: request).argumentsAreConstant
      )
    }
  }
}
