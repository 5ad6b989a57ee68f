/// A live query with values of one type.
final class TypedObservedQuery<Value: Sendable>: ObservedQuery, @unchecked Sendable {
  // Safe to share: it holds constants.
  private let fetchValue: ObservationSource<Value>.Fetch
  private let areEqualValues: (@Sendable (Value, Value) -> Bool)?

  /// The first subscription begins with the query.
  ///
  /// - Parameters:
  ///   - id: Its place in the broker.
  ///   - fetch: Fetches the value.
  ///   - areEqual: By what equal values are dropped, when they are.
  init(
    id: UInt64,
    fetch: @escaping ObservationSource<Value>.Fetch,
    areEqual: (@Sendable (Value, Value) -> Bool)?
  ) {
    fetchValue = fetch
    areEqualValues = areEqual
    super.init(id: id)
  }

  override func run(_ db: Database, number: UInt64) throws -> AnyObservedMoment {
    let value = try fetchValue(db, number)
    return ObservedMoment(event: .value(Numbered(number: number, value: value)))
  }

  override func areEqual(_ first: AnyObservedMoment, _ second: AnyObservedMoment) -> Bool {
    guard let areEqualValues, case .value(let first) = first.event(of: Value.self),
      case .value(let second) = second.event(of: Value.self)
    else { return false }
    return areEqualValues(first.value, second.value)
  }

  override func makeMoment(_ event: ObservedEvent<Never>) -> AnyObservedMoment {
    switch event {
    case .value: fatalError("There is no value.")
    case .failure(let error): ObservedMoment<Value>(event: .failure(error))
    case .closed: ObservedMoment<Value>(event: .closed)
    }
  }
}
