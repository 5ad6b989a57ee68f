/// A subscriber's part in an observed query, from its start to its end. It does nothing by itself.
struct ObservationSubscription<Value: Sendable>: Sendable {
  /// Begins to tell the subscriber; the first value or error comes on another thread.
  let start: @Sendable () -> Void
  /// Begins to tell the subscriber, and returns the first value or error once it is there, which the
  /// subscriber is not told any more. It is `nil` where waiting for it could be waiting for ever.
  let startAndWait: @Sendable () -> ObservedMoment<Value>?
  /// Ends to tell the subscriber. The query ends with its last subscriber.
  let end: @Sendable () -> Void

  /// A subscription to `query`, which the caller has held on behalf of the subscriber. It keeps the
  /// database open.
  init(
    to query: TypedObservedQuery<Value>,
    in core: DatabaseCore,
    _ subscriber: any ObservationSubscriber<Value>
  ) {
    start = {
      query.add(subscriber, isNewcomer: true)
      core.broker.start(query)
    }
    startAndWait = {
      core.broker.startAndWait(query)
      let first = query.latest
      query.add(subscriber, isNewcomer: first == nil)
      if let first { query.tellLatest(to: subscriber, after: first.sequence) }
      return first
    }
    end = {
      if query.release(subscriber) { core.broker.remove(query) }
    }
  }

  /// The same subscription, with other events.
  init<Base: Sendable>(
    _ base: ObservationSubscription<Base>,
    transform: @escaping @Sendable (ObservedEvent<Base>) -> ObservedEvent<Value>
  ) {
    start = base.start
    startAndWait = {
      base.startAndWait().map { ObservedMoment(sequence: $0.sequence, event: transform($0.event)) }
    }
    end = base.end
  }
}

/// Tells another subscriber the events in another form.
final class TransformingSubscriber<Base: Sendable, Value: Sendable>: ObservationSubscriber {
  private let subscriber: any ObservationSubscriber<Value>
  private let transform: @Sendable (ObservedEvent<Base>) -> ObservedEvent<Value>

  init(
    _ subscriber: any ObservationSubscriber<Value>,
    transform: @escaping @Sendable (ObservedEvent<Base>) -> ObservedEvent<Value>
  ) {
    self.subscriber = subscriber
    self.transform = transform
  }

  func receive(_ event: ObservedEvent<Base>, _ sequence: UInt64) -> PendingCall? {
    subscriber.receive(transform(event), sequence)
  }

  func flush(_ completion: @escaping @Sendable () -> Void) { subscriber.flush(completion) }
}
