internal import Dispatch
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
  private let snapshots: SnapshotSource
  private let monitor: ExternalChangeMonitor?
  private let label: String
  // Guards the queries and what is to be done about them. SQL, deliveries and other locks come
  // outside of it.
  private let state = Lock(State())

  init(readers: ConnectionQueue, source: Source, label: String) {
    self.label = label
    switch source {
    case .own(let path, let commits, let writers):
      self.commits = commits
      snapshots = SnapshotSource(commits: commits, readers: readers, unlocked: nil)
      monitor = path.map { path in
        ExternalChangeMonitor(path: path, probe: WriterProbe(writers: writers)) {
          commits.ownCommits
        }
      }
    case .watch(let path, let configuration):
      commits = FileCommits.shared(path: path)
      let unlocked = UnlockedReader(path: path, configuration: configuration, label: label)
      snapshots = SnapshotSource(commits: commits, readers: readers, unlocked: unlocked)
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
      statistics.live = state.queries.count
      return statistics
    }
  }

  private var hasQueries: Bool { state.withLock { !$0.queries.isEmpty } }

  /// What the queries of this pool read.
  var observedTables: [TableName: ObservedTable] { state.withLock { $0.index.observedTables } }

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

  /// Adds a query, and runs it for the first time on the calling thread.
  ///
  /// When this returns, the query has a value or an error.
  func startAndWait(_ query: ObservedQuery) {
    guard add(query) else { return query.close() }
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
      retryFailed()
      return
    }
    dispatch(run([query]))
  }

  private func dispatch(_ calls: [PendingCall]) {
    for call in calls { call.dispatch() }
  }

  /// Adds a query, runs it for the first time on another thread, and delivers its value.
  func start(_ query: ObservedQuery) {
    guard add(query) else { return query.close() }
    let submit: @Sendable () -> Void = { [self] in
      snapshots.submit { db, number in
        query.fetch(db, number: number)
      } completion: { [self] result in
        switch result {
        case .success((let pending, let number)):
          dispatch(didRun([query], [pending.finish()], number: number))
        case .failure(let error):
          dispatch(didRun([query], [query.fail(error)], number: 0))
        }
      }
    }
    // Its first look at the file may have to wait, which the calling thread must not.
    if let monitor { monitor.resume(then: submit) } else { submit() }
  }

  /// - Returns: `false` when the database is closed.
  private func add(_ query: ObservedQuery) -> Bool {
    // Before the first snapshot: a transaction that begins after it must be tracked.
    commits.addObserver()
    let isAdded = state.withLock { state in
      guard !state.isClosed else { return false }
      state.queries[query.id] = query
      state.pendingRuns += 1
      return true
    }
    if !isAdded { commits.removeObserver() }
    return isAdded
  }

  /// Removes a query. It is not run again, unless it is being run just now.
  func remove(_ query: ObservedQuery) {
    let (removed, isLast, hasChanged) = state.withLock { state in
      let removed = state.queries.removeValue(forKey: query.id)
      state.numbers[query.id] = nil
      state.dirty.remove(query.id)
      state.failed.remove(query.id)
      return (removed, state.queries.isEmpty, state.index.remove(query.id))
    }
    guard removed != nil else { return }
    commits.removeObserver()
    if hasChanged { commits.observedTablesDidChange() }
    if isLast { monitor?.pause() }
  }

  /// Ends all queries. Their subscribers are told.
  func close() {
    let queries = state.withLock { state -> [ObservedQuery] in
      guard !state.isClosed else { return [] }
      state.isClosed = true
      defer { state.queries.removeAll() }
      state.dirty.removeAll()
      return Array(state.queries.values)
    }
    monitor?.stop()
    snapshots.unlocked?.close()
    for query in queries {
      commits.removeObserver()
      query.close()
    }
  }

  // MARK: Commits

  /// Called after each commit, by the thread that made it or noticed it.
  func didCommit(number: UInt64, _ changes: CommittedChanges) {
    let mustSchedule = state.withLock { state in
      guard !state.queries.isEmpty else { return false }
      state.statistics.commits += 1
      if state.pendingRuns > 0 {
        state.recentCommits.append((number, changes))
        if state.recentCommits.count > Self.maximumRecentCommits {
          state.recentCommits = [(number, .everything)]
        }
      }
      // What began to be observed during the transaction was not looked at.
      let isCurrent = changes.generation == commits.observationGeneration
      state.markDirty(number: number, isCurrent ? changes.observed : changes.touched)
      return state.schedule()
    }
    if mustSchedule { scheduleBatch() }
  }

  /// Others have changed the file, or may have.
  func didNoticeExternalCommit() { commits.didChangeExternally(noticedBy: self) }

  /// Runs the queries again that failed: what they failed of may have passed.
  private func retryFailed() {
    let mustSchedule = state.withLock { state in
      state.dirty.formUnion(state.failed)
      return state.schedule()
    }
    if mustSchedule { scheduleBatch() }
  }

  // MARK: Batches

  private func scheduleBatch() {
    let runner = state.withLock { $0.idleRunners.popLast() } ?? makeRunner()
    runner.async { [self] in
      var calls: [PendingCall] = []
      while let batch = takeBatch() {
        for call in calls { call.dispatch() }
        calls = run(batch)
      }
      // From here on another runner serves the observations, so that this one can make a call by
      // itself, which saves waking a thread for it.
      let last = calls.popLast()
      for call in calls { call.dispatch() }
      last?.run()
      state.withLock { $0.idleRunners.append(runner) }
    }
  }

  private func makeRunner() -> DispatchQueue {
    DispatchQueue(label: "\(label).observations")
  }

  private func takeBatch() -> [ObservedQuery]? {
    state.withLock { state in
      let batch = state.dirty.sorted().compactMap { state.queries[$0] }
      state.dirty.removeAll()
      state.isRunning = !batch.isEmpty
      state.pendingRuns += batch.count
      return batch.isEmpty ? nil : batch
    }
  }

  /// Runs queries in one snapshot, and delivers their values.
  private func run(_ batch: [ObservedQuery]) -> [PendingCall] {
    var outcomes: [FetchOutcome]
    var snapshot: UInt64 = 0
    do {
      let (pending, number) = try snapshots.read { db, number in
        batch.map { $0.fetch(db, number: number) }
      }
      snapshot = number
      outcomes = pending.map { $0.finish() }
    } catch {
      outcomes = batch.map { $0.fail(error) }
    }
    return didRun(batch, outcomes, number: snapshot)
  }

  /// Takes note of how queries have run in a snapshot, and delivers what they gave.
  private func didRun(
    _ batch: [ObservedQuery],
    _ outcomes: [FetchOutcome],
    number: UInt64
  ) -> [PendingCall] {
    let mustSchedule = state.withLock { state in
      var hasChanged = false
      for (query, outcome) in zip(batch, outcomes) {
        if state.note(outcome, of: query.id, number: number) { hasChanged = true }
      }
      // Under the lock, so that a commit either sees the new generation or the old regions.
      if hasChanged { commits.observedTablesDidChange() }
      state.pendingRuns -= batch.count
      if state.pendingRuns == 0 { state.recentCommits.removeAll() }
      return state.schedule()
    }
    let calls = zip(batch, outcomes).flatMap { $1.mustDeliver ? $0.deliver() : [] }
    if mustSchedule { scheduleBatch() }
    return calls
  }
}
