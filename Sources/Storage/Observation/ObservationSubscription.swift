/// A subscriber's part in an observed query, from its start to its end. It does nothing by itself.
struct ObservationSubscription: Sendable {
  /// Begins to tell the subscriber; the first value or error comes on another thread.
  let start: @Sendable () -> Void
  /// Begins to tell the subscriber, and returns the first value or error once it is there, which the
  /// subscriber is not told any more, or drops. It is `nil` where waiting for it could be waiting for
  /// ever.
  let startAndWait: @Sendable () -> AnyObservedMoment?
  /// Begins to tell the subscriber, and calls a closure when it has been told what a run of the query
  /// gives that begins now.
  let startAnew: @Sendable (_ completion: @escaping @Sendable () -> Void) -> Void
  /// Calls a closure when a subscriber that has begun to be told has been told what a run of the query gives
  /// that begins now.
  let refresh: @Sendable (_ completion: @escaping @Sendable () -> Void) -> Void
  /// Ends to tell the subscriber. The query ends with its last subscriber.
  let end: @Sendable () -> Void
  /// Tells what the query reads, and why it has run.
  let explain: @Sendable () -> ObservationExplanation?
}

extension ObservationSubscription {
  /// A subscription to `query`, which the caller has held on behalf of the subscriber. It keeps the
  /// database open.
  init(
    to query: ObservedQuery,
    in core: DatabaseCore,
    _ subscriber: any ObservationSubscriber
  ) {
    start = {
      query.add(subscriber, since: core.broker.lastNumber)
      core.broker.start(query)
    }
    startAndWait = {
      core.broker.startAndWait(query)
      return query.join(subscriber, since: core.broker.lastNumber)
    }
    startAnew = { completion in
      query.add(subscriber, since: core.broker.lastNumber)
      core.broker.startAnew(query, for: subscriber) { subscriber.flush(completion) }
    }
    refresh = { completion in
      core.broker.refresh(query, for: subscriber) { subscriber.flush(completion) }
    }
    end = {
      if query.release(subscriber) { core.broker.remove(query) }
    }
    explain = { core.broker.explain(query) }
  }
}
