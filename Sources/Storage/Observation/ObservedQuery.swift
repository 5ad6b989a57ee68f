internal import Dispatch
internal import Synchronization
internal import WellspringPlatform

/// A live query: its latest event, and those who are told. The broker runs it; a subclass knows what
/// it fetches, and the type of that.
class ObservedQuery: @unchecked Sendable {
  // Safe to share: the state is guarded, the rest is constant, and subclasses hold constants.

  private struct State {
    /// The latest event that is a value.
    var latestValue: AnyObservedMoment?
    /// The error of the last run, described.
    var failure: String?
    var latest: AnyObservedMoment?
    var sequence: UInt64 = 0
    var subscribers: [ObjectIdentifier: any ObservationSubscriber] = [:]
    /// Those who have come since the latest event was delivered, each with the last commit before.
    var newcomers: [(subscriber: any ObservationSubscriber, since: UInt64)] = []
    /// How many subscriptions there are, those that have not started included.
    var holds = 1
    /// Whether the last subscription has ended: no other one can begin.
    var isEnded = false
    /// Whether the database is closed: no event counts any more.
    var isClosed = false
    /// The SQL of the last run.
    var statements: [String] = []
  }

  /// Its place in the broker.
  let id: UInt64

  // Guards the latest event and the subscribers. Fetching, comparing and telling happen outside, and
  // the broker runs a query in one place at a time.
  private let state = Lock(State())
  /// Whether there may be newcomers: most of the time there are none.
  private let hasNewcomers = Atomic(false)

  /// The first subscription begins with the query.
  init(id: UInt64) {
    self.id = id
  }

  /// The SQL of the statements of the last run.
  final var statements: [String] { state.withLock { $0.statements } }

  // MARK: Subscribers

  /// Begins a subscription.
  ///
  /// - Returns: `false` when the query has ended.
  final func hold() -> Bool {
    state.withLock { state in
      guard !state.isEnded else { return false }
      state.holds += 1
      return true
    }
  }

  /// Adds a subscriber, who is told the events that are delivered from now on, and the present one by
  /// ``deliverToNewcomers(upTo:)``.
  ///
  /// - Parameters:
  ///   - subscriber: Who is told.
  ///   - number: The last commit that it must be told of.
  final func add(_ subscriber: any ObservationSubscriber, since number: UInt64) {
    state.withLock { state in
      state.subscribers[ObjectIdentifier(subscriber)] = subscriber
      state.newcomers.append((subscriber, number))
      newcomersDidChange(state)
    }
  }

  /// Adds a subscriber, who is told the events that follow the latest one.
  ///
  /// - Parameters:
  ///   - subscriber: Who is told.
  ///   - number: The last commit that it must be told of.
  /// - Returns: The latest one. When there is none, the subscriber is told it when it comes.
  final func join(
    _ subscriber: any ObservationSubscriber,
    since number: UInt64
  ) -> AnyObservedMoment? {
    state.withLock { state in
      state.subscribers[ObjectIdentifier(subscriber)] = subscriber
      if state.latest == nil { state.newcomers.append((subscriber, number)) }
      newcomersDidChange(state)
      return state.latest
    }
  }

  // Called under the lock: who looks at the flag alone must not miss anybody.
  private func newcomersDidChange(_ state: State) {
    hasNewcomers.store(!state.newcomers.isEmpty, ordering: .releasing)
  }

  /// Ends a subscription.
  ///
  /// - Returns: Whether it was the last one.
  final func release(_ subscriber: any ObservationSubscriber) -> Bool {
    let (removed, isLast) = state.withLock { state in
      let removed = state.subscribers.removeValue(forKey: ObjectIdentifier(subscriber))
      let newcomer = state.newcomers.firstIndex { $0.subscriber === subscriber }
      if let newcomer { state.newcomers.remove(at: newcomer) }
      newcomersDidChange(state)
      state.holds -= 1
      if state.holds == 0 { state.isEnded = true }
      return (removed, state.isEnded)
    }
    return withExtendedLifetime(removed) { isLast }
  }

  // MARK: Runs

  /// Runs the query in the numbered snapshot of `db`.
  ///
  /// - Returns: What remembers the result, once the snapshot is known to be good.
  final func fetch(_ db: Database, number: UInt64) -> PendingFetch {
    let start = DispatchTime.now().uptimeNanoseconds
    let (result, recorder) = db.recordingRegion { try run(db, number: number) }
    let duration = DispatchTime.now().uptimeNanoseconds - start
    let endedSnapshot = db.transactionWasUndone
    // The error is the query's own. What others fetched in the snapshot before is good.
    db.forgetUndoneTransaction()
    return PendingFetch(
      query: self,
      endedSnapshot: endedSnapshot,
      result: result,
      region: recorder.region,
      statements: recorder.statements,
      duration: duration
    )
  }

  /// Fetches the value, as an event that is not numbered yet.
  func run(_ db: Database, number: UInt64) throws -> AnyObservedMoment {
    fatalError("A subclass fetches.")
  }

  /// Whether two values count as equal, so that nobody is told of the second one.
  func areEqual(_ first: AnyObservedMoment, _ second: AnyObservedMoment) -> Bool {
    fatalError("A subclass compares.")
  }

  /// Makes an event that is no value, and is not numbered yet.
  func makeMoment(_ event: ObservedEvent<Never>) -> AnyObservedMoment {
    fatalError("A subclass knows the type.")
  }

  fileprivate final func finish(_ fetch: PendingFetch) -> FetchOutcome {
    state.withLock { $0.statements = fetch.statements }
    var outcome =
      switch fetch.result {
      case .success(let value): succeed(value)
      case .failure(let error): fail(error)
      }
    outcome.region = fetch.region
    outcome.duration = fetch.duration
    return outcome
  }

  private func succeed(_ new: AnyObservedMoment) -> FetchOutcome {
    let before = state.withLock { state in
      // The first value, and the one after an error, are told in any case.
      state.failure == nil ? state.latestValue : nil
    }
    // An equal value is not kept: the subscribers hold the one before.
    if let before, areEqual(before, new) {
      return FetchOutcome(mustDeliver: false, hasFailed: false)
    }
    let isTold = append(new) { state in
      state.failure = nil
      state.latestValue = new
    }
    return FetchOutcome(mustDeliver: isTold, hasFailed: false)
  }

  /// Remembers that the query could not be run.
  final func fail(_ error: any Error) -> FetchOutcome {
    let description = String(describing: error)
    // One that persists is told once.
    guard state.withLock({ $0.failure != description }) else {
      return FetchOutcome(mustDeliver: false, hasFailed: true)
    }
    let isTold = append(makeMoment(.failure(error))) { $0.failure = description }
    return FetchOutcome(mustDeliver: isTold, hasFailed: true)
  }

  /// Takes an event as the latest one, and numbers it.
  ///
  /// - Returns: Whether the event counts: nothing does after the end.
  private func append(_ moment: AnyObservedMoment, _ change: (inout State) -> Void) -> Bool {
    // The value before is released outside of the lock: it may have a `deinit`.
    let (isTold, dropped) = state.withLock {
      state -> (Bool, (AnyObservedMoment?, AnyObservedMoment?)) in
      guard !state.isClosed else { return (false, (nil, nil)) }
      let dropped = (state.latest, state.latestValue)
      state.sequence += 1
      moment.setSequence(state.sequence)
      state.latest = moment
      change(&state)
      return (true, dropped)
    }
    return withExtendedLifetime(dropped) { isTold }
  }

  // MARK: Telling

  /// Tells the subscribers the latest value or error.
  ///
  /// - Parameter number: The last commit that the latest value includes: who has come after a later one is
  ///   not told yet.
  /// - Returns: Calls that the caller must make or dispatch.
  final func deliver(upTo number: UInt64) -> [any PendingCall] {
    let (latest, subscribers, newcomers) = state.withLock { state in
      var subscribers = state.subscribers
      let newcomers = state.newcomers
      if !newcomers.isEmpty {
        state.newcomers.removeAll { $0.since <= number }
        newcomersDidChange(state)
        for (early, _) in state.newcomers { subscribers[ObjectIdentifier(early)] = nil }
      }
      return (state.latest, subscribers, newcomers)
    }
    guard let latest else { return [] }
    // Two threads may deliver at once: subscribers drop what comes too late.
    return withExtendedLifetime(newcomers) {
      subscribers.values.compactMap { $0.receive(latest) }
    }
  }

  /// Whether somebody may have come since the latest value was delivered.
  final var mayHaveNewcomers: Bool { hasNewcomers.load(ordering: .acquiring) }

  /// Tells the latest value or error to those who have come since it was delivered.
  ///
  /// - Parameter number: The last commit that the latest value includes: who has come after a later one is
  ///   not told yet.
  final func deliverToNewcomers(upTo number: UInt64) {
    guard mayHaveNewcomers else { return }
    let (latest, newcomers) = state.withLock { state in
      let latest = state.latest
      let told = latest == nil ? [] : state.newcomers.filter { $0.since <= number }
      if !told.isEmpty { state.newcomers.removeAll { $0.since <= number } }
      newcomersDidChange(state)
      return (latest, told)
    }
    guard let latest else { return }
    for (newcomer, _) in newcomers { newcomer.receive(latest)?.dispatch() }
  }

  /// Tells the latest value or error to one subscriber, who drops it when it was told it before.
  final func deliver(to subscriber: any ObservationSubscriber) {
    let latest = state.withLock { state in
      state.newcomers.removeAll { $0.subscriber === subscriber }
      newcomersDidChange(state)
      return state.latest
    }
    if let latest { subscriber.receive(latest)?.dispatch() }
  }

  /// Calls the completion when what was delivered has been called back, or waits to be taken.
  final func flush(_ completion: @escaping @Sendable () -> Void) {
    let subscribers = state.withLock { $0.subscribers }
    let group = DispatchGroup()
    for subscriber in subscribers.values {
      group.enter()
      subscriber.flush { group.leave() }
    }
    group.notify(queue: .global(), execute: completion)
  }

  /// Tells the subscribers that the database is closed.
  final func close() {
    _ = append(makeMoment(.closed)) { $0.isClosed = true }
    for call in deliver(upTo: .max) { call.dispatch() }
  }
}

/// A run of an observed query whose result is not remembered yet.
struct PendingFetch: Sendable {
  fileprivate let query: ObservedQuery
  /// Whether the query met an error by which SQLite ends the transaction, such as a full disk.
  let endedSnapshot: Bool
  fileprivate let result: Result<AnyObservedMoment, any Error>
  fileprivate let region: DatabaseRegion
  fileprivate let statements: [String]
  /// How long the query took, in nanoseconds.
  fileprivate let duration: UInt64

  /// Remembers the result.
  func finish() -> FetchOutcome { query.finish(self) }
}

/// How a run of an observed query ended.
struct FetchOutcome: Sendable {
  /// What the query has read; `nil` when it was not run.
  var region: DatabaseRegion?
  /// Whether the subscribers have something to be told.
  let mustDeliver: Bool
  let hasFailed: Bool
  /// How long the query took, in nanoseconds.
  var duration: UInt64 = 0
}
