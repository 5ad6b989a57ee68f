/// Fetches the value of a query in a snapshot with a number.
typealias ObservationFetch<Value: Sendable> =
  @Sendable (_ db: Database, _ number: CommitNumber) throws -> Value

/// What a live query needs to know about the type of its values.
protocol QueryFetcher: AnyObject, Sendable {
  /// Fetches the value, as an event without a sequence number.
  func fetch(_ db: Database, in number: CommitNumber) throws -> AnyObservedMoment

  /// Returns whether the second value is equal to the first one, and need not be delivered after
  /// it.
  func areEqual(_ first: AnyObservedMoment, _ second: AnyObservedMoment) -> Bool

  /// Makes an event that is no value, without a sequence number.
  func makeMoment(_ event: ObservedEvent<Never>) -> AnyObservedMoment
}

/// Fetches values of one type.
final class TypedQueryFetcher<Value: Sendable>: QueryFetcher {
  private let fetchValue: ObservationFetch<Value>
  private let comparesValues: Bool

  /// - Parameters:
  ///   - dropsEqualValues: Whether values that `==` finds equal count as equal.
  ///   - fetch: Fetches the value.
  init(dropsEqualValues: Bool, fetch: @escaping ObservationFetch<Value>) {
    fetchValue = fetch
    comparesValues = dropsEqualValues && isEquatable(Value.self)
  }

  func fetch(_ db: Database, in number: CommitNumber) throws -> AnyObservedMoment {
    let value = try fetchValue(db, number)
    return ObservedMoment(event: .value(Numbered(number: number.rawValue, value: value)))
  }

  func areEqual(_ first: AnyObservedMoment, _ second: AnyObservedMoment) -> Bool {
    guard comparesValues, case .value(let first) = first.event(of: Value.self),
      case .value(let second) = second.event(of: Value.self)
    else { return false }
    return areEquatablesEqual(first.value, second.value)
  }

  func makeMoment(_ event: ObservedEvent<Never>) -> AnyObservedMoment {
    switch event {
    case .value(let numbered): switch numbered.value {}
    case .failure(let error): return ObservedMoment<Value>(event: .failure(error))
    case .closed: return ObservedMoment<Value>(event: .closed)
    }
  }
}
