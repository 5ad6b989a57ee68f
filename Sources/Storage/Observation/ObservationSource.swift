/// What an observation fetches, and with whom it shares its query.
struct ObservationSource<Value: Sendable>: Sendable {
  typealias Fetch = @Sendable (Database, _ number: UInt64) throws -> Value
  typealias Subscribe =
    @Sendable (DatabaseCore, any ObservationSubscriber) -> ObservationSubscription

  /// Makes what one query fetches: it may remember something from run to run.
  var makeFetch: @Sendable () -> Fetch
  /// By what equal values are dropped, when they are.
  var areEqual: (@Sendable (Value, Value) -> Bool)?
  /// Subscribes to a query that others may share.
  var subscribeToShared: Subscribe?

  /// A subscription that has not been started. The subscriber knows that the values are `Value`s.
  func subscribe(
    _ subscriber: any ObservationSubscriber,
    in core: DatabaseCore
  ) -> ObservationSubscription {
    if let subscribeToShared { return subscribeToShared(core, subscriber) }
    return ObservationSubscription(to: makeQuery(in: core), in: core, subscriber)
  }

  func makeQuery(in core: DatabaseCore) -> TypedObservedQuery<Value> {
    TypedObservedQuery(id: core.broker.makeID(), fetch: makeFetch(), areEqual: areEqual)
  }
}

/// The `==` of a type that is `Equatable`, as far as can be told at run time: an `Array` is when its
/// elements are.
func equality<Value>(of type: Value.Type) -> (@Sendable (Value, Value) -> Bool)? {
  guard type is any Equatable.Type else { return nil }
  // The type is looked up again for each comparison: a closure that crosses threads cannot hold it.
  return { left, right in
    func isEqual<Other: Equatable>(_ left: Other) -> Bool { left == (right as! Other) }
    let left = left as! any Equatable
    return isEqual(left)
  }
}
