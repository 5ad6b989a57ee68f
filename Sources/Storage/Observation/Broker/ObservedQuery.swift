internal import Dispatch
internal import Synchronization
internal import WellspringSystem

/// A live query: its latest event, and its subscribers. The broker runs it.
final class ObservedQuery: Identifiable, Sendable {
  private struct State {
    /// The latest event that is a value.
    var latestValue: AnyObservedMoment?
    /// The error of the last run, described.
    var failure: String?
    var latest: AnyObservedMoment?
    #if WELLSPRING_FAULTS
      var late: AnyObservedMoment?
    #endif
    var sequence: UInt64 = 0
    var subscribers: [ObjectIdentifier: any ObservationSubscriber] = [:]
    /// The shortest times between two values, in nanoseconds, of the subscribers that have one.
    var paces: [ObjectIdentifier: UInt64] = [:]
    /// The subscribers that came since the latest event was delivered, each with the last commit
    /// before.
    var newSubscribers: [(subscriber: any ObservationSubscriber, since: CommitNumber)] = []
    /// How many subscriptions there are, including those that have not started.
    var holds = 1
    /// Whether the database is closed: no event counts any more.
    var isClosed = false
    /// The SQL of the last run.
    var statements: [String] = []

    /// Whether the last subscription has ended. No other one can begin then.
    var isEnded: Bool { holds <= 0 }
  }

  /// Its identity in the broker.
  let id: QueryID
  let fetcher: any QueryFetcher

  // Guards the latest event and the subscribers. Fetching, comparing and delivering happen outside,
  // and the broker runs a query in one place at a time.
  private let state = Lock(State())
  /// Whether there may be new subscribers. Most of the time, it is `false`.
  private let hasNewSubscribers = Atomic(false)
  /// The shortest time between two runs; 0 without a limit.
  private let pacing = Atomic<UInt64>(0)

  /// Whether each run has the same statements with the same arguments.
  private let argumentsAreConstant: Bool

  /// Makes a query together with its first subscription.
  init(id: QueryID, fetcher: any QueryFetcher, argumentsAreConstant: Bool = false) {
    self.id = id
    self.fetcher = fetcher
    self.argumentsAreConstant = argumentsAreConstant
  }

  /// The SQL of the statements of the last run.
  var statements: [String] { state.withLock { $0.statements } }

  // MARK: Subscribers

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

  /// Adds a subscriber, which gets the events that are delivered from now on, and the present one
  /// from ``deliverToNewSubscribers(upTo:)``.
  ///
  /// - Parameters:
  ///   - subscriber: The subscriber.
  ///   - number: The last commit that its first value must include.
  ///   - pace: The shortest time between two values that it wants, in nanoseconds.
  func add(
    _ subscriber: any ObservationSubscriber,
    since number: CommitNumber,
    pace: UInt64? = nil
  ) {
    state.withLock { state in
      insert(subscriber, pace, into: &state)
      state.newSubscribers.append((subscriber, number))
      newSubscribersDidChange(state)
    }
  }

  /// Adds a subscriber, which gets the events that follow the latest one.
  ///
  /// - Parameters:
  ///   - subscriber: The subscriber.
  ///   - number: The last commit that its first value must include.
  ///   - pace: The shortest time between two values that it wants, in nanoseconds.
  /// - Returns: The latest event; `nil` before the first event, which the subscriber gets when it
  ///   comes.
  func join(
    _ subscriber: any ObservationSubscriber,
    since number: CommitNumber,
    pace: UInt64? = nil
  ) -> AnyObservedMoment? {
    state.withLock { state in
      insert(subscriber, pace, into: &state)
      if state.latest == nil { state.newSubscribers.append((subscriber, number)) }
      newSubscribersDidChange(state)
      return state.latest
    }
  }

  private func insert(
    _ subscriber: any ObservationSubscriber,
    _ pace: UInt64?,
    into state: inout State
  ) {
    state.subscribers[ObjectIdentifier(subscriber)] = subscriber
    state.paces[ObjectIdentifier(subscriber)] = pace
    pacesDidChange(state)
  }

  // Called under the lock: a thread that reads the pace alone must not miss a subscriber.
  private func pacesDidChange(_ state: State) {
    let isPaced = state.paces.count == state.subscribers.count
    pacing.store(isPaced ? state.paces.values.min() ?? 0 : 0, ordering: .releasing)
  }

  /// Whether the query may rest for some of its subscribers.
  var mayRest: Bool { state.withLock { !$0.paces.isEmpty } }

  /// The shortest time between two runs, in nanoseconds, if no subscriber wants each value.
  var pace: UInt64? {
    let pace = pacing.load(ordering: .acquiring)
    return pace > 0 ? pace : nil
  }

  // Called under the lock: a thread that reads the flag alone must not miss a subscriber.
  private func newSubscribersDidChange(_ state: State) {
    hasNewSubscribers.store(!state.newSubscribers.isEmpty, ordering: .releasing)
  }

  /// Ends a subscription.
  ///
  /// - Returns: Whether it was the last one.
  func release(_ subscriber: any ObservationSubscriber) -> Bool {
    let (removed, isLast) = state.withLock { state in
      let removed = state.subscribers.removeValue(forKey: ObjectIdentifier(subscriber))
      state.paces[ObjectIdentifier(subscriber)] = nil
      pacesDidChange(state)
      let index = state.newSubscribers.firstIndex { $0.subscriber === subscriber }
      if let index { state.newSubscribers.remove(at: index) }
      newSubscribersDidChange(state)
      state.holds -= 1
      return (removed, state.isEnded)
    }
    return withExtendedLifetime(removed) { isLast }
  }

  // MARK: Runs

  /// Runs the query in the numbered snapshot of `db`.
  ///
  /// - Parameters:
  ///   - db: The snapshot.
  ///   - number: Its number.
  ///   - isExact: Whether it has no commits but those up to its number. Otherwise, the value is
  ///     not patched later.
  ///   - changed: The rows that have changed since the last value; `nil` if they are not known.
  /// - Returns: The run and its value, for ``accept(_:)`` once the snapshot is known to be good.
  func fetch(
    _ db: Database,
    in number: CommitNumber,
    isExact: Bool,
    changed: ChangedRows? = nil
  ) -> Fetched {
    let start = DispatchTime.now().uptimeNanoseconds
    let (result, recorder) = db.recordingRegion(argumentsAreConstant: argumentsAreConstant) {
      var fetched = try fetcher.fetch(db, in: number, changed: changed)
      if !isExact, !Fault.isOn(.patchInexact) { fetched.keep = nil }
      return fetched
    }
    let duration = DispatchTime.now().uptimeNanoseconds - start
    var run = QueryRun(
      region: recorder.region,
      statements: recorder.statements,
      isExact: isExact,
      endedSnapshot: db.transactionWasUndone,
      duration: duration
    )
    if case .success(let fetched) = result { run.noteFetch(fetched) }
    // The error belongs to this query only. The values that other queries fetched in the snapshot
    // before it are valid.
    db.forgetUndoneTransaction()
    return (result, run)
  }

  typealias Fetched = (
    result: Result<PatchedFetch<AnyObservedMoment>, any Error>, run: QueryRun
  )

  /// Accepts the value of a run.
  func accept(_ fetched: Fetched) -> Delivery {
    if !fetched.run.wasPatched { state.withLock { $0.statements = fetched.run.statements } }
    switch fetched.result {
    case .success(let value): return accept(value, of: fetched.run)
    case .failure(let error): return fail(error, in: fetched.run)
    }
  }

  private func accept(
    _ fetched: PatchedFetch<AnyObservedMoment>,
    of run: QueryRun
  ) -> Delivery {
    let before = state.withLock { state in
      // The first value, and the one after an error, are delivered in any case.
      state.failure == nil ? state.latestValue : nil
    }
    let equal = before.flatMap { before in
      fetched.isUnchanged ?? fetcher.areEqual(before, fetched.value) ? before : nil
    }
    let memory = fetched.keep?(equal.map { HeldValue(value: $0) }) ?? 0
    // An equal value is not kept, because the subscribers hold the previous one.
    let isNew =
      equal == nil
      && append(fetched.value) { state in
        state.failure = nil
        state.latestValue = fetched.value
      }
    return Delivery(run: run, mustDeliver: isNew, hasFailed: false, patchMemory: memory)
  }

  /// Notes that the query could not be run.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - run: The run; by default, there was no snapshot to run the query in.
  /// - Returns: Whether to deliver the error.
  func fail(_ error: any Error, in run: QueryRun = QueryRun()) -> Delivery {
    let description = String(describing: error)
    // An error that persists is delivered once.
    guard state.withLock({ $0.failure != description }) else {
      return Delivery(run: run, mustDeliver: false, hasFailed: true)
    }
    let counts = append(.failure(error)) { $0.failure = description }
    return Delivery(run: run, mustDeliver: counts, hasFailed: true, error: counts ? error : nil)
  }

  /// Makes an event the latest one, and gives it the next sequence number.
  ///
  /// - Returns: Whether the event counts. No event does after the database was closed.
  private func append(_ moment: AnyObservedMoment, _ change: (inout State) -> Void) -> Bool {
    // The previous value is released outside the lock, because it may have a `deinit`.
    let (counts, dropped) = state.withLock {
      state -> (Bool, (AnyObservedMoment?, AnyObservedMoment?)) in
      guard !state.isClosed else { return (false, (nil, nil)) }
      let dropped = (state.latest, state.latestValue)
      state.sequence += 1
      moment.setSequence(state.sequence)
      state.latest = moment
      change(&state)
      return (true, dropped)
    }
    return withExtendedLifetime(dropped) { counts }
  }

  // MARK: Delivering

  /// Delivers the latest value or error to the subscribers.
  ///
  /// - Parameter number: The last commit that the latest value includes: a subscriber that came
  ///   after a later one does not get it yet.
  /// - Returns: Calls that the caller must make or dispatch.
  func deliver(upTo number: CommitNumber) -> [any PendingCall] {
    #if WELLSPRING_FAULTS
      if Fault.isOn(.outOfOrder) { return deliverOutOfOrder() }
    #endif
    let (latest, subscribers, newSubscribers) = state.withLock { state in
      var subscribers = state.subscribers
      let newSubscribers = state.newSubscribers
      if !newSubscribers.isEmpty {
        state.newSubscribers.removeAll { $0.since <= number }
        newSubscribersDidChange(state)
        for (early, _) in state.newSubscribers { subscribers[ObjectIdentifier(early)] = nil }
      }
      return (state.latest, subscribers, newSubscribers)
    }
    guard let latest else { return [] }
    // Two threads may deliver at the same time. Subscribers drop an event that comes after a newer
    // one.
    return withExtendedLifetime(newSubscribers) {
      subscribers.values.compactMap { $0.receive(latest) }
    }
  }

  #if WELLSPRING_FAULTS
    /// Delivers as two threads that deliver one after the other in the wrong order.
    private func deliverOutOfOrder() -> [any PendingCall] {
      let (late, latest, subscribers) = state.withLock { state in
        defer { state.late = state.late == nil ? state.latest : nil }
        return (state.late, state.latest, state.subscribers)
      }
      let moments = [latest, late, latest].compactMap { $0 }
      return moments.flatMap { moment in subscribers.values.compactMap { $0.receive(moment) } }
    }
  #endif

  /// Whether subscribers may have come since the latest value was delivered.
  var mayHaveNewSubscribers: Bool { hasNewSubscribers.load(ordering: .acquiring) }

  /// Delivers the latest value or error to the subscribers that have come since it was delivered.
  ///
  /// - Parameter number: The last commit that the latest value includes: a subscriber that came
  ///   after a later one does not get it yet.
  func deliverToNewSubscribers(upTo number: CommitNumber) {
    guard mayHaveNewSubscribers else { return }
    let (latest, subscribers) = state.withLock { state in
      let latest = state.latest
      let subscribers = latest == nil ? [] : state.newSubscribers.filter { $0.since <= number }
      if !subscribers.isEmpty { state.newSubscribers.removeAll { $0.since <= number } }
      newSubscribersDidChange(state)
      return (latest, subscribers)
    }
    guard let latest else { return }
    for (subscriber, _) in subscribers { subscriber.receive(latest)?.dispatch() }
  }

  /// Delivers the latest value or error to one subscriber, which drops it if it has received it
  /// before.
  func deliver(to subscriber: any ObservationSubscriber) {
    let latest = state.withLock { state in
      state.newSubscribers.removeAll { $0.subscriber === subscriber }
      newSubscribersDidChange(state)
      return state.latest
    }
    if let latest { subscriber.receive(latest)?.dispatch() }
  }

  /// Calls the completion when the subscribers have processed the delivered events: callbacks have
  /// returned, and loops can take their values.
  func flush(_ completion: @escaping @Sendable () -> Void) {
    let subscribers = state.withLock { $0.subscribers }
    let group = DispatchGroup()
    for subscriber in subscribers.values {
      group.enter()
      subscriber.flush { group.leave() }
    }
    group.notify(queue: .global(), execute: completion)
  }

  /// Notifies the subscribers that the database is closed.
  func close() {
    _ = append(.closed) { $0.isClosed = true }
    for call in deliver(upTo: .max) { call.dispatch() }
  }
}
