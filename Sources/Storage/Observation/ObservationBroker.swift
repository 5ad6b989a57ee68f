internal import Dispatch
internal import Synchronization
internal import WellspringPlatform

/// Runs the live queries of one pool: it learns of every commit, finds the queries that the changes
/// touch, and runs those together in one snapshot.
final class ObservationBroker: Sendable {
  /// Where commits come from, and how those of others are noticed.
  enum Source {
    /// A database that this pool writes. `path` is `nil` when it has no file.
    case own(path: String?, commits: FileCommits, writers: ConnectionQueue)
    /// A file that this pool only watches.
    case watch(path: String, configuration: Configuration)
  }

  /// More recent commits than this are kept as one that has changed everything.
  private static let maximumRecentCommits = 256

  let commits: FileCommits
  let snapshots: SnapshotSource
  let monitor: ExternalChangeMonitor?
  let label: String
  /// The queries of requests, which all who observe an equal request share.
  let sharedQueries = WeakTable()
  // Guards the queries and what is to be done about them. SQL, deliveries and other locks come
  // outside of it.
  let state: Lock<State>
  /// Tells the runner that waits awake that there is a batch.
  let hasBatch = Atomic(false)

  init(readers: ConnectionQueue, maximumReaders: Int, source: Source, label: String) {
    self.label = label
    state = Lock(State(maximumReaders: maximumReaders))
    switch source {
    case .own(let path, let commits, let writers):
      self.commits = commits
      let place = path.map(FilePlace.init)
      snapshots = SnapshotSource(
        commits: commits,
        readers: readers,
        place: place,
        unlocked: nil
      )
      if let path, let place {
        let probe = WriterProbe(place: place, commits: commits, writers: writers, readers: readers)
        monitor = ExternalChangeMonitor(path: path, probe: probe) { commits.ownCommits }
      } else {
        monitor = nil
      }
    case .watch(let path, let configuration):
      commits = FileCommits.shared(path: path)
      let unlocked = UnlockedReader(path: path, configuration: configuration, label: label)
      snapshots = SnapshotSource(
        commits: commits,
        readers: readers,
        place: nil,
        unlocked: unlocked
      )
      let probe = WatcherProbe(path: path, configuration: configuration, snapshots: snapshots)
      monitor = ExternalChangeMonitor(path: path, probe: probe) { [commits] in
        commits.ownCommits
      }
    }
    commits.add(self)
    monitor?.setHandlers(
      didChange: { [weak self] in self?.didNoticeExternalCommit() },
      didTick: { [weak self] in self?.retryFailed() },
      isNeeded: { [weak self] in self?.hasQueries ?? false }
    )
  }

  var statistics: ObservationStatistics {
    state.withLock { state in
      var statistics = state.statistics
      statistics.live = state.entries.count
      return statistics
    }
  }

  /// The number of the last commit that was told.
  var lastNumber: UInt64 { state.withLock { $0.lastNumber } }

  private var hasQueries: Bool { state.withLock { !$0.entries.isEmpty } }

  /// What the queries of this pool read.
  var observedTables: ObservedTables { state.withLock { $0.index.observedTables } }

  /// Whether the calling thread is in an access that a first value would have to wait for.
  var isUsedByCurrentThread: Bool {
    snapshots.readers.isUsedByCurrentThread || snapshots.unlocked?.isUsedByCurrentThread == true
  }

  // MARK: Queries come and go

  /// A number for a new query.
  func makeID() -> UInt64 {
    state.withLock { state in
      defer { state.nextID += 1 }
      return state.nextID
    }
  }

  /// Sees to it that a query has a current value or an error when this returns, unless waiting for
  /// that could be waiting for ever.
  func startAndWait(_ query: ObservedQuery) {
    switch admit(query) {
    case .isClosed:
      query.close()
    case .isCurrent:
      break
    case .isPending:
      // Somebody else runs it, for which the caller must not wait while others wait for the caller.
      guard !ThreadScope.blocking.isActive else { return }
      let done = DispatchSemaphore(value: 0)
      wait(for: { state in state.isSettled(query.id, state.lastNumber) ? [] : [query.id] }) {
        done.signal()
      }
      done.wait()
    case .mustRun:
      monitor?.resumeAndWait()
      guard !isUsedByCurrentThread else {
        let error = DatabaseError(
          resultCode: .SQLITE_MISUSE,
          message: """
            the first value was asked for inside of an access to the same connection, which would \
            wait for itself: it comes after the access
            """
        )
        dispatch(didRun([query], [query.fail(error)], number: 0))
        return refetch(query)
      }
      dispatch(run([query]))
    }
  }

  /// Sees to it that a query is run for the first time, on another thread, and that newcomers are told
  /// its value.
  func start(_ query: ObservedQuery) {
    switch admit(query) {
    case .isClosed: query.close()
    case .isCurrent(let number): query.deliverToNewcomers(upTo: number)
    case .isPending: break
    case .mustRun: submit(query)
    }
  }

  /// Sees to it that a query is run on another thread, also when its latest value is current, and calls
  /// the completion when what that has given has been handed to a subscriber.
  func startAnew(
    _ query: ObservedQuery,
    for subscriber: any ObservationSubscriber,
    _ completion: @escaping @Sendable () -> Void
  ) {
    switch admit(query) {
    case .isClosed:
      query.close()
      return completion()
    case .mustRun:
      submit(query)
    case .isCurrent, .isPending:
      refetch(query)
    }
    waitToTell(query, to: subscriber, completion)
  }

  /// Sees to it that a query is run again that was started, unless it has ended, and calls the completion when
  /// what that has given has been handed to a subscriber.
  func refresh(
    _ query: ObservedQuery,
    for subscriber: any ObservationSubscriber,
    _ completion: @escaping @Sendable () -> Void
  ) {
    // The closing may not have come to this query yet.
    if state.withLock({ $0.isClosed }) { query.close() }
    refetch(query)
    waitToTell(query, to: subscriber, completion)
  }

  /// Hands what the last run of a query has given to a subscriber, after the runs that are due now, and calls
  /// the completion then.
  private func waitToTell(
    _ query: ObservedQuery,
    to subscriber: any ObservationSubscriber,
    _ completion: @escaping @Sendable () -> Void
  ) {
    wait(for: { state in state.isSettled(query.id, state.lastNumber) ? [] : [query.id] }) {
      // Its value may be the one before, and others may be about to tell it.
      query.deliver(to: subscriber)
      completion()
    }
  }

  /// Sees to it that a query is run again, though nothing has changed.
  private func refetch(_ query: ObservedQuery) {
    let work = state.withLock { state in
      state.markForRefetch(query.id)
      return state.schedule()
    }
    begin(work)
  }

  /// Sees to it that a query is run for the first time, when enough readers are left for others.
  private func submit(_ query: ObservedQuery) {
    let work = state.withLock { state in
      state.newcomers.append(query)
      return state.schedule()
    }
    begin(work)
  }

  func dispatch(_ calls: [any PendingCall]) {
    for call in calls { call.dispatch() }
  }

  private enum Admission {
    /// The caller must run the query for the first time.
    case mustRun
    /// It will be run, or is being run, by somebody else.
    case isPending
    /// Its latest value includes all commits up to a number, which is the last one.
    case isCurrent(UInt64)
    /// The database is closed.
    case isClosed
  }

  private func admit(_ query: ObservedQuery) -> Admission {
    // Before the first snapshot: a transaction that begins after it must be tracked.
    commits.addObserver()
    let admission = state.withLock { state -> Admission in
      guard !state.isClosed else { return .isClosed }
      guard state.entries[query.id] == nil else {
        let isCurrent = state.isSettled(query.id, state.lastNumber)
        return isCurrent ? .isCurrent(state.lastNumber) : .isPending
      }
      state.entries[query.id] = Entry(query: query)
      state.pendingRuns += 1
      return .mustRun
    }
    if case .mustRun = admission { return admission }
    commits.removeObserver()
    return admission
  }

  /// Removes a query. It is not run again, unless it is being run just now.
  func remove(_ query: ObservedQuery) {
    let (removed, isLast, hasChanged, waiters) = state.withLock { state in
      let removed = state.entries.removeValue(forKey: query.id)
      state.dirty.remove(query.id)
      state.failed[query.id] = nil
      let waiters = state.takeWaiters(after: [query.id])
      return (removed, state.entries.isEmpty, state.index.remove(query.id), waiters)
    }
    for resume in waiters { resume() }
    guard removed != nil else { return }
    commits.removeObserver()
    if hasChanged { commits.observedTablesDidShrink() }
    if isLast { monitor?.pause() }
  }

  /// Ends all queries. Their subscribers are told.
  func close() {
    let (queries, waiters) = state.withLock { state -> ([ObservedQuery], [Waiter]) in
      guard !state.isClosed else { return ([], []) }
      state.isClosed = true
      defer {
        state.entries.removeAll()
        state.dirty.removeAll()
        state.newcomers = []
        state.waiters.removeAll()
      }
      return (state.entries.values.map(\.query), state.waiters)
    }
    monitor?.stop()
    snapshots.unlocked?.close()
    for query in queries {
      commits.removeObserver()
      query.close()
    }
    for waiter in waiters { waiter.resume() }
  }

  // MARK: Waiting

  /// Calls `resume` when all that was committed before the call, and is visible to this process, has
  /// been called back, or waits to be taken by a loop.
  func whenQuiescent(_ resume: @escaping @Sendable () -> Void) {
    let waitForQueries: @Sendable () -> Void = { [self] in
      wait(for: { $0.unsettled($0.lastNumber) }) { [self] in
        let queries = state.withLock { $0.entries.values.map(\.query) }
        let group = DispatchGroup()
        for query in queries {
          group.enter()
          query.flush { group.leave() }
        }
        group.notify(queue: .global(), execute: resume)
      }
    }
    if let monitor { monitor.look(then: waitForQueries) } else { waitForQueries() }
  }

  /// Calls `resume` when queries are settled that are not so now.
  private func wait(
    for pending: (State) -> Set<UInt64>,
    _ resume: @escaping @Sendable () -> Void
  ) {
    let mustWait = state.withLock { state in
      let pending = pending(state)
      guard !pending.isEmpty else { return false }
      state.waiters.append(Waiter(number: state.lastNumber, pending: pending, resume: resume))
      return true
    }
    if !mustWait { resume() }
  }

  // MARK: Commits

  /// Called after each commit, by the thread that made it or noticed it.
  func didCommit(number: UInt64, _ changes: CommittedChanges) {
    let work = state.withLock { state in
      state.lastNumber = max(state.lastNumber, number)
      guard !state.entries.isEmpty else { return State.Work() }
      state.statistics.commits += 1
      if state.pendingRuns > 0 {
        state.recentCommits.append((number, changes))
        if state.recentCommits.count > Self.maximumRecentCommits {
          state.recentCommits = [(number, .everything)]
        }
      }
      let isNews = state.markDirty(
        number: number,
        changes,
        growth: commits.observationGrowth
      )
      // What was marked before is run as soon as it can be.
      return isNews ? state.schedule() : State.Work()
    }
    begin(work)
  }

  /// Others have changed the file, or may have.
  func didNoticeExternalCommit() { commits.didChangeExternally(noticedBy: self) }

  /// Runs the queries again that have failed for some time: what they failed of may have passed.
  private func retryFailed(at now: DispatchTime = .now()) {
    let work = state.withLock { state in
      guard !state.failed.isEmpty else { return State.Work() }
      state.markFailed(at: now.uptimeNanoseconds)
      return state.schedule()
    }
    begin(work)
  }

  /// Sees to it that the query that is next to be tried again will be.
  ///
  /// - Parameter now: Those whose time has come by then are being run.
  func retryLater(after now: DispatchTime = .now()) {
    let now = now.uptimeNanoseconds
    let next = state.withLock { state -> UInt64? in
      guard let next = state.failed.values.map(\.time).filter({ $0 > now }).min(),
        state.plannedRetry.map({ next < $0 }) ?? true
      else { return nil }
      state.plannedRetry = next
      return next
    }
    guard let next else { return }
    DispatchQueue.global().asyncAfter(deadline: DispatchTime(uptimeNanoseconds: next)) {
      [weak self] in
      guard let self else { return }
      state.withLock { if $0.plannedRetry == next { $0.plannedRetry = nil } }
      let now = DispatchTime.now()
      retryFailed(at: now)
      retryLater(after: now)
    }
  }
}
