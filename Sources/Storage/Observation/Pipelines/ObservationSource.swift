internal import WellspringSystem

/// The source of an observation's events.
enum ObservationSource<Value: Sendable>: Sendable {
  /// Makes the fetch of one query, which may keep state from run to run.
  typealias MakeFetch = @Sendable () -> ObservationFetch<Value>

  /// A separate query for each subscriber. Each of its runs may have the same statements with the
  /// same arguments.
  case query(MakeFetch, argumentsAreConstant: Bool = false)
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
    case .hub(let hub):
      return HubSubscription(to: hub, subscriber)
    }
  }

  /// Returns whether each run of a request has the same arguments, and what patches its value.
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

  /// Returns the same source, which also notifies handlers of the runs of its query. It shares its
  /// query with no other observation.
  func handling(_ handlers: QueryEventHandlers) -> Self {
    switch self {
    case .query(let makeFetch, let argumentsAreConstant):
      .query({ handlers.wrap(makeFetch()) }, argumentsAreConstant: argumentsAreConstant)
    case .request(let request, let makeFetch):
      .query(
        { handlers.wrap(makeFetch()) },
        argumentsAreConstant: Self.facts(of: request).argumentsAreConstant
      )
    case .hub:
      // A hub has no query.
      self
    }
  }
}

/// A pipeline whose last stages each follower of a shared observation runs separately, because they
/// depend on the values that this follower has seen.
struct FollowerPipeline<Base: Sendable, Value: Sendable>: ObservationPipeline {
  typealias Stages = @Sendable (any ObservationPipeline<Base>) -> any ObservationPipeline<Value>

  let upstream: any ObservationPipeline<Base>
  /// Adds the last stages.
  let addStages: Stages

  // The last stages may make equal values from different ones, such as two equal changes: both
  // count.
  var dropsEqualValues: Bool { false }

  private var whole: any ObservationPipeline<Value> { addStages(upstream) }

  func appending<New: Sendable>(
    _ makeStage: @escaping @Sendable () -> ObservationStage<Value, New>
  ) -> any ObservationPipeline<New> {
    FollowerPipeline<Base, New>(upstream: upstream) { [addStages] in
      addStages($0).appending(makeStage)
    }
  }

  func droppingEqual(
    by areEqual: @escaping @Sendable (Value, Value) -> Bool
  ) -> any ObservationPipeline<Value> {
    FollowerPipeline(upstream: upstream) { [addStages] in
      addStages($0).droppingEqual(by: areEqual)
    }
  }

  func allowingDuplicates() -> any ObservationPipeline<Value> {
    FollowerPipeline(upstream: upstream.allowingDuplicates()) { [addStages] in
      addStages($0).allowingDuplicates()
    }
  }

  func handling(_ handlers: QueryEventHandlers) -> any ObservationPipeline<Value> {
    FollowerPipeline(upstream: upstream.handling(handlers), addStages: addStages)
  }

  func callback(
    in database: any ObservedDatabase,
    options: ObservationOptions,
    scheduler: any ValueObservationScheduler,
    handler: @escaping @Sendable (AnyObservedMoment) -> Void
  ) -> CallbackObservation {
    whole.callback(in: database, options: options, scheduler: scheduler, handler: handler)
  }

  func stream(
    in database: any ObservedDatabase,
    options: ObservationOptions,
    bufferingPolicy: ObservationBufferingPolicy
  ) -> any EventStream<Value> {
    whole.stream(in: database, options: options, bufferingPolicy: bufferingPolicy)
  }

  func shared(
    in database: any ObservedDatabase,
    options: ObservationOptions,
    staysLive: Bool
  ) -> (pipeline: any ObservationPipeline<Value>, hub: any ReleasableHub) {
    let shared = upstream.shared(in: database, options: options, staysLive: staysLive)
    return (addStages(shared.pipeline), shared.hub)
  }
}
