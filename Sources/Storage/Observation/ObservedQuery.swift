internal import WellspringPlatform

/// A live query: what it fetches, its latest value, and those who are told. The broker runs it.
class ObservedQuery: @unchecked Sendable {
  // Safe to share: subclasses guard their state; the rest is constant.

  /// Its place in the broker.
  let id: UInt64

  init(id: UInt64) {
    self.id = id
  }

  /// Runs the query in the numbered snapshot of `db`.
  ///
  /// - Returns: What remembers the result, once the snapshot is known to be good.
  func fetch(_ db: Database, number: UInt64) -> PendingFetch {
    fatalError("A subclass fetches.")
  }

  /// Remembers that the query could not be run at all.
  func fail(_ error: any Error) -> FetchOutcome { fatalError("A subclass fails.") }

  /// Tells the subscribers the latest value or error.
  ///
  /// - Returns: Calls that the caller must make or dispatch.
  func deliver() -> [PendingCall] { [] }

  /// Tells the subscribers that the database is closed.
  func close() {}
}

/// A run of an observed query whose result is not remembered yet.
struct PendingFetch: Sendable {
  /// Remembers the result.
  let finish: @Sendable () -> FetchOutcome
}

/// How a run of an observed query ended.
struct FetchOutcome: Sendable {
  /// What the query has read; `nil` when it was not run.
  let region: DatabaseRegion?
  /// Whether the subscribers have something to be told.
  let mustDeliver: Bool
  let hasFailed: Bool
}

/// A live query with values of one type.
final class TypedObservedQuery<Value: Sendable>: ObservedQuery, @unchecked Sendable {
  /// An event with its place in the order of the events.
  struct Moment {
    let sequence: UInt64
    let event: ObservedEvent<Value>
  }

  private struct State {
    var latestValue: Numbered<Value>?
    /// The error of the last run, described.
    var failure: String?
    var latest: Moment?
    var sequence: UInt64 = 0
    var subscribers: [ObjectIdentifier: any ObservationSubscriber<Value>] = [:]

    /// - Returns: Whether the event counts: nothing does after the end.
    mutating func append(_ event: ObservedEvent<Value>) -> Bool {
      if case .closed = latest?.event { return false }
      sequence += 1
      latest = Moment(sequence: sequence, event: event)
      return true
    }
  }

  private let fetchValue: @Sendable (Database, _ number: UInt64) throws -> Value
  private let areEqual: (@Sendable (Value, Value) -> Bool)?
  // Guards the latest event and the subscribers. Fetching, comparing and telling happen outside, and
  // the broker runs a query in one place at a time.
  private let state = Lock(State())

  init(
    id: UInt64,
    fetch: @escaping @Sendable (Database, _ number: UInt64) throws -> Value,
    areEqual: (@Sendable (Value, Value) -> Bool)?
  ) {
    fetchValue = fetch
    self.areEqual = areEqual
    super.init(id: id)
  }

  /// The latest event, when there is one.
  var latest: Moment? { state.withLock { $0.latest } }

  /// Adds a subscriber, who is told all events from now on, and the latest one unless it is in
  /// `known` already.
  func add(_ subscriber: any ObservationSubscriber<Value>, known: UInt64 = 0) {
    let latest = state.withLock { state in
      state.subscribers[ObjectIdentifier(subscriber)] = subscriber
      return state.latest
    }
    if let latest, latest.sequence > known {
      subscriber.receive(latest.event, latest.sequence)?.dispatch()
    }
  }

  /// - Returns: Whether nobody is left.
  func remove(_ subscriber: any ObservationSubscriber<Value>) -> Bool {
    let (removed, isEmpty) = state.withLock { state in
      let removed = state.subscribers.removeValue(forKey: ObjectIdentifier(subscriber))
      return (removed, state.subscribers.isEmpty)
    }
    return withExtendedLifetime(removed) { isEmpty }
  }

  override func fetch(_ db: Database, number: UInt64) -> PendingFetch {
    let (result, region) = db.recordingRegion { try fetchValue(db, number) }
    return PendingFetch {
      switch result {
      case .success(let value): self.succeed(Numbered(number: number, value: value), region: region)
      case .failure(let error): self.fail(error, region: region)
      }
    }
  }

  private func succeed(_ new: Numbered<Value>, region: DatabaseRegion) -> FetchOutcome {
    let (before, hadFailed) = state.withLock { ($0.latestValue, $0.failure != nil) }
    let isEqual = before.map { areEqual?($0.value, new.value) ?? false } ?? false
    // An equal value is not kept: the subscribers hold the one before.
    var mustDeliver = !isEqual || hadFailed
    if mustDeliver {
      mustDeliver = state.withLock { state in
        state.failure = nil
        state.latestValue = new
        return state.append(.value(new))
      }
    }
    // The value before is released here, outside of the lock: it may have a `deinit`.
    return withExtendedLifetime(before) {
      FetchOutcome(region: region, mustDeliver: mustDeliver, hasFailed: false)
    }
  }

  override func fail(_ error: any Error) -> FetchOutcome { fail(error, region: nil) }

  private func fail(_ error: any Error, region: DatabaseRegion?) -> FetchOutcome {
    let description = String(describing: error)
    let isNew = state.withLock { state in
      // One that persists is told once.
      guard state.failure != description else { return false }
      state.failure = description
      return state.append(.failure(error))
    }
    return FetchOutcome(region: region, mustDeliver: isNew, hasFailed: true)
  }

  override func deliver() -> [PendingCall] {
    let (latest, subscribers) = state.withLock { ($0.latest, Array($0.subscribers.values)) }
    guard let latest else { return [] }
    // Two threads may deliver at once: subscribers drop what comes too late.
    return subscribers.compactMap { $0.receive(latest.event, latest.sequence) }
  }

  override func close() {
    state.withLock { _ = $0.append(.closed) }
    for call in deliver() { call.dispatch() }
  }
}
