internal import Dispatch
internal import Synchronization
internal import WellspringPlatform

/// A live query: what it fetches, its latest value, and those who are told. The broker runs it.
class ObservedQuery: @unchecked Sendable {
  // Safe to share: subclasses guard their state; the rest is constant.

  /// Its place in the broker.
  let id: UInt64

  // Guards the SQL of the last run.
  let statements = Lock<[String]>([])

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

  /// Tells the latest value or error to those who have come since it was delivered.
  func deliverToNewcomers() {}

  /// Calls the completion when what was delivered has been called back, or waits to be taken.
  func flush(_ completion: @escaping @Sendable () -> Void) { completion() }

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
  /// How long the query took, in nanoseconds.
  var duration: UInt64 = 0
}

/// A live query with values of one type.
final class TypedObservedQuery<Value: Sendable>: ObservedQuery, @unchecked Sendable {
  private struct State {
    var latestValue: Numbered<Value>?
    /// The error of the last run, described.
    var failure: String?
    var latest: ObservedMoment<Value>?
    var sequence: UInt64 = 0
    var subscribers: [ObjectIdentifier: any ObservationSubscriber<Value>] = [:]
    /// Those who have come since the latest event was delivered.
    var newcomers: [any ObservationSubscriber<Value>] = []
    /// How many subscriptions there are, those that have not started included.
    var holds = 1
    /// Whether the last subscription has ended: no other one can begin.
    var isEnded = false

    mutating func append(_ value: Numbered<Value>) -> Bool {
      failure = nil
      latestValue = value
      return append(.value(value))
    }

    /// - Returns: Whether the event counts: nothing does after the end.
    mutating func append(_ event: ObservedEvent<Value>) -> Bool {
      if case .closed = latest?.event { return false }
      sequence += 1
      latest = ObservedMoment(sequence: sequence, event: event)
      return true
    }
  }

  private let fetchValue: @Sendable (Database, _ number: UInt64) throws -> Value
  private let areEqual: (@Sendable (Value, Value) -> Bool)?
  // Guards the latest event and the subscribers. Fetching, comparing and telling happen outside, and
  // the broker runs a query in one place at a time.
  private let state: Lock<State>
  /// Whether there may be newcomers: most of the time there are none.
  private let hasNewcomers = Atomic(false)

  /// The first subscription begins with the query.
  init(
    id: UInt64,
    fetch: @escaping @Sendable (Database, _ number: UInt64) throws -> Value,
    areEqual: (@Sendable (Value, Value) -> Bool)?
  ) {
    fetchValue = fetch
    self.areEqual = areEqual
    state = Lock(State())
    super.init(id: id)
  }

  /// The latest event, when there is one.
  var latest: ObservedMoment<Value>? { state.withLock { $0.latest } }

  /// Begins a subscription.
  ///
  /// - Returns: `false` when the query has ended.
  func hold() -> Bool {
    state.withLock { state in
      guard !state.isEnded else { return false }
      state.holds += 1
      return true
    }
  }

  /// Adds a subscriber, who is told the events that are delivered from now on, and the present one by
  /// ``deliverToNewcomers()``.
  func add(_ subscriber: any ObservationSubscriber<Value>) {
    state.withLock { state in
      state.subscribers[ObjectIdentifier(subscriber)] = subscriber
      state.newcomers.append(subscriber)
    }
    hasNewcomers.store(true, ordering: .releasing)
  }

  /// Adds a subscriber, who is told the events that follow the latest one.
  ///
  /// - Returns: The latest one. When there is none, the subscriber is told it when it comes.
  func join(_ subscriber: any ObservationSubscriber<Value>) -> ObservedMoment<Value>? {
    let latest = state.withLock { state in
      state.subscribers[ObjectIdentifier(subscriber)] = subscriber
      if state.latest == nil { state.newcomers.append(subscriber) }
      return state.latest
    }
    if latest == nil { hasNewcomers.store(true, ordering: .releasing) }
    return latest
  }

  /// Ends a subscription.
  ///
  /// - Returns: Whether it was the last one.
  func release(_ subscriber: any ObservationSubscriber<Value>) -> Bool {
    let (removed, isLast) = state.withLock { state in
      let removed = state.subscribers.removeValue(forKey: ObjectIdentifier(subscriber))
      let newcomer = state.newcomers.firstIndex { $0 === subscriber }
      if let newcomer { state.newcomers.remove(at: newcomer) }
      state.holds -= 1
      if state.holds == 0 { state.isEnded = true }
      return (removed, state.isEnded)
    }
    return withExtendedLifetime(removed) { isLast }
  }

  override func fetch(_ db: Database, number: UInt64) -> PendingFetch {
    let start = DispatchTime.now().uptimeNanoseconds
    let (result, recorder) = db.recordingRegion { try fetchValue(db, number) }
    let duration = DispatchTime.now().uptimeNanoseconds - start
    let (region, statements) = (recorder.region, recorder.statements)
    return PendingFetch {
      self.statements.withLock { $0 = statements }
      var outcome =
        switch result {
        case .success(let value):
          self.succeed(Numbered(number: number, value: value), region: region)
        case .failure(let error):
          self.fail(error, region: region)
        }
      outcome.duration = duration
      return outcome
    }
  }

  private func succeed(_ new: Numbered<Value>, region: DatabaseRegion) -> FetchOutcome {
    // The first value, and the one after an error, are told in any case.
    let (before, isTold) = state.withLock { state in
      let before = state.latestValue
      guard areEqual == nil || before == nil || state.failure != nil else { return (before, false) }
      return (before, state.append(new))
    }
    var mustDeliver = isTold
    if !isTold, let before, let areEqual, !areEqual(before.value, new.value) {
      mustDeliver = state.withLock { $0.append(new) }
    }
    // The value before is released here, outside of the lock: it may have a `deinit`. An equal value
    // is not kept: the subscribers hold the one before.
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
    let (latest, subscribers, newcomers) = state.withLock { state in
      defer { state.newcomers = [] }
      return (state.latest, Array(state.subscribers.values), state.newcomers)
    }
    guard let latest else { return [] }
    // Two threads may deliver at once: subscribers drop what comes too late.
    return withExtendedLifetime(newcomers) {
      subscribers.compactMap { $0.receive(latest.event, latest.sequence) }
    }
  }

  override func deliverToNewcomers() {
    guard hasNewcomers.exchange(false, ordering: .acquiringAndReleasing) else { return }
    let (latest, newcomers) = state.withLock { state in
      defer { if state.latest != nil { state.newcomers = [] } }
      return (state.latest, state.newcomers)
    }
    guard let latest else { return hasNewcomers.store(true, ordering: .releasing) }
    for newcomer in newcomers { newcomer.receive(latest.event, latest.sequence)?.dispatch() }
  }

  override func flush(_ completion: @escaping @Sendable () -> Void) {
    let subscribers = state.withLock { Array($0.subscribers.values) }
    let group = DispatchGroup()
    for subscriber in subscribers {
      group.enter()
      subscriber.flush { group.leave() }
    }
    group.notify(queue: .global(), execute: completion)
  }

  override func close() {
    state.withLock { _ = $0.append(.closed) }
    for call in deliver() { call.dispatch() }
  }
}
