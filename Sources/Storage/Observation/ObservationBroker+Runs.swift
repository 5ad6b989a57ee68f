internal import Dispatch
internal import Synchronization
internal import WellspringPlatform

/// The threads that run queries: batches of quick ones, and slow ones by themselves.
extension ObservationBroker {
  func begin(_ work: State.Work) {
    switch work.batch {
    case .none: break
    case .start: startBatches()
    case .awaited: hasBatch.store(true, ordering: .releasing)
    }
    for query in work.slow { startSlow(query) }
  }

  private func startBatches() {
    let runner = takeRunner()
    runner.async { [self] in
      repeat {
        var calls: [any PendingCall] = []
        while let batch = state.withLock({ $0.takeBatch() }) {
          dispatch(calls)
          calls = run(batch)
        }
        // Others serve the observations meanwhile, so that it can make calls by itself, which saves
        // waking a thread for them.
        CallRun.make(calls)
      } while awaitCommit()
      giveBack(runner)
    }
  }

  /// Waits awake for the next commit, when the last ones came in quick succession.
  ///
  /// - Returns: Whether there is a batch to be taken.
  private func awaitCommit() -> Bool {
    hasBatch.store(false, ordering: .relaxed)
    guard state.withLock({ $0.beginWaiting() }) else { return false }
    let deadline = DispatchTime.now() + .nanoseconds(Int(State.maximumWait))
    while !hasBatch.exchange(false, ordering: .acquiringAndReleasing), DispatchTime.now() < deadline
    {
      CurrentThread.yield()
    }
    return state.withLock { $0.endWaiting() }
  }

  private func startSlow(_ query: ObservedQuery) {
    let runner = takeRunner()
    runner.async { [self] in
      CallRun.make(run([query], isSlow: true))
      giveBack(runner)
    }
  }

  private func takeRunner() -> DispatchQueue {
    state.withLock { $0.idleRunners.popLast() } ?? DispatchQueue(label: "\(label).observations")
  }

  private func giveBack(_ runner: DispatchQueue) {
    state.withLock { $0.idleRunners.append(runner) }
  }

  /// Runs queries in one snapshot, and delivers their values.
  func run(_ batch: [ObservedQuery], isSlow: Bool = false) -> [any PendingCall] {
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
    return didRun(batch, outcomes, number: snapshot, isSlow: isSlow)
  }

  /// Takes note of how queries have run in a snapshot, and delivers what they gave.
  func didRun(
    _ batch: [ObservedQuery],
    _ outcomes: [FetchOutcome],
    number: UInt64,
    isSlow: Bool = false
  ) -> [any PendingCall] {
    state.withLock { state in
      var hasChanged = false
      for (query, outcome) in zip(batch, outcomes) {
        if state.note(outcome, of: query.id, number: number) { hasChanged = true }
      }
      // Under the lock, so that a commit either sees the growth or the old regions.
      if hasChanged { commits.observedTablesDidGrow() }
      state.pendingRuns -= batch.count
      if state.pendingRuns == 0 { state.recentCommits.removeAll() }
    }
    let calls = zip(batch, outcomes).flatMap { $1.mustDeliver ? $0.deliver() : [] }
    let (work, waiters, settled) = state.withLock { state in
      let settled = batch.filter { state.endRun($0) && $0.mayHaveNewcomers }
      for query in settled { state.entries[query.id]?.tellings += 1 }
      if isSlow { state.slowRuns -= 1 }
      let waiters = state.takeWaiters(after: batch.lazy.map(\.id))
      return (state.schedule(), waiters, settled)
    }
    if !settled.isEmpty { tellNewcomers(of: settled) }
    begin(work)
    for resume in waiters { resume() }
    return calls
  }

  /// Tells the values of queries to those who came while these were run: a value that is equal to the
  /// one before is not delivered.
  private func tellNewcomers(of queries: [ObservedQuery]) {
    for query in queries { query.deliverToNewcomers() }
    let waiters = state.withLock { state in
      for query in queries { state.entries[query.id]?.tellings -= 1 }
      return state.takeWaiters(after: queries.lazy.map(\.id))
    }
    for resume in waiters { resume() }
  }
}
