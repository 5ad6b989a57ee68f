/// Fetches the value of a query in a snapshot with a number.
typealias ObservationFetch<Value: Sendable> =
  @Sendable (_ db: Database, _ number: CommitNumber) throws -> Value

/// Fetches the values of a live query, whose type only the fetcher knows.
protocol QueryFetcher: AnyObject, Sendable {
  /// Fetches the value, as an event without a sequence number.
  ///
  /// - Parameters:
  ///   - db: A snapshot.
  ///   - number: Its number.
  ///   - changed: The rows that have changed since the last value; `nil` if they are not known.
  /// - Returns: The event, and how it came about.
  /// - Throws: The error of the query.
  func fetch(
    _ db: Database,
    in number: CommitNumber,
    changed: ChangedRows?
  ) throws -> PatchedFetch<AnyObservedMoment>

  /// Why the values are not patched; `nil` when no reason is known.
  var obstacle: PatchObstacle? { get }

  /// Why the fetches of a closure are not patched, by their SQL.
  var statementObstacles: [String: PatchObstacle] { get }

  /// How the results of statements are patched, by their SQL.
  var statementPlans: [String: String] { get }

  /// Returns whether the second value is equal to the first one, and need not be delivered after
  /// it.
  func areEqual(_ first: AnyObservedMoment, _ second: AnyObservedMoment) -> Bool
}

/// Fetches values of one type.
final class TypedQueryFetcher<Value: Sendable>: QueryFetcher {
  private let fetchValue: ObservationFetch<Value>
  private let comparesValues: Bool
  private let patcher: (any ValuePatcher<Value>)?
  /// The fetches of a value that is not patched itself.
  private let closure = ClosureFetches()

  /// - Parameters:
  ///   - dropsEqualValues: Whether values that `==` finds equal count as equal.
  ///   - patcher: Fetches or patches the value; `nil` for values that cannot be patched.
  ///   - fetch: Fetches the value.
  init(
    dropsEqualValues: Bool,
    patcher: (any ValuePatcher<Value>)? = nil,
    fetch: @escaping ObservationFetch<Value>
  ) {
    fetchValue = fetch
    self.patcher = patcher
    comparesValues = dropsEqualValues && isEquatable(Value.self)
  }

  func fetch(
    _ db: Database,
    in number: CommitNumber,
    changed: ChangedRows?
  ) throws -> PatchedFetch<AnyObservedMoment> {
    func moment(_ value: Value, _ origin: ValueOrigin? = nil) -> AnyObservedMoment {
      ObservedMoment(Numbered(number: number.rawValue, value: value, origin: origin))
    }
    guard let patcher else {
      return try closure.fetch(db, in: number, changed: changed) {
        moment(try fetchValue(db, number))
      }
    }
    let fetch = try patcher.fetch(db, in: number, changed: changed)
    return PatchedFetch(
      value: moment(fetch.value, fetch.origin),
      inputs: fetch.inputs,
      isUnchanged: fetch.isUnchanged.map { $0 && comparesValues },
      keep: fetch.keep.map(Self.keep)
    )
  }

  private static func keep(
    _ keep: @escaping PatchedFetch<Value>.Keep
  ) -> PatchedFetch<AnyObservedMoment>.Keep {
    { equal in
      guard let moment = equal?.value.value(of: Value.self) else { return keep(nil) }
      return keep(HeldValue(value: moment.value, origin: moment.origin))
    }
  }

  var obstacle: PatchObstacle? {
    guard let patcher else { return closure.obstacle }
    return patcher.obstacle
  }

  var statementObstacles: [String: PatchObstacle] { patcher == nil ? closure.obstacles : [:] }

  var statementPlans: [String: String] {
    guard let patcher else { return closure.plans }
    return patcher.plan.map { [$0.sql: $0.description] } ?? [:]
  }

  func areEqual(_ first: AnyObservedMoment, _ second: AnyObservedMoment) -> Bool {
    guard comparesValues, let first = first.value(of: Value.self),
      let second = second.value(of: Value.self)
    else { return false }
    return areEquatablesEqual(first.value, second.value)
  }
}
