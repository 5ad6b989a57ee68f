internal import Dispatch
internal import Synchronization
internal import WellspringPlatform

/// Who runs a query.
enum RunKind {
  /// A runner of batches, or the thread that starts it and waits.
  case batch
  /// A runner of its own.
  case slow
  /// A reader's thread, for the first time.
  case first
}

/// The threads that run queries: batches of quick ones, and slow ones by themselves.
extension ObservationBroker {
  func begin(_ work: State.Work) {
    switch work.batch {
    case .none: break
    case .start: startBatches()
    case .awaited: hasBatch.store(true, ordering: .releasing)
    }
    for query in work.slow { startSlow(query) }
    for query in work.first { startFirst(query) }
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
      CallRun.make(run([query], as: .slow))
      giveBack(runner)
    }
  }

  private func startFirst(_ query: ObservedQuery) {
    let submit: @Sendable () -> Void = { [self] in
      snapshots.submit { db, number in
        query.fetch(db, number: number)
      } completion: { [self] result in
        switch result {
        case .success((let pending, let number)):
          dispatch(didRun([query], [pending.finish()], number: number, as: .first))
        case .failure(let error):
          dispatch(didRun([query], [query.fail(error)], number: 0, as: .first))
        }
      }
    }
    // Its first look at the file may have to wait, which the calling thread must not.
    if let monitor { monitor.resume(then: submit) } else { submit() }
  }

  private func takeRunner() -> DispatchQueue {
    state.withLock { $0.idleRunners.popLast() } ?? DispatchQueue(label: "\(label).observations")
  }

  private func giveBack(_ runner: DispatchQueue) {
    state.withLock { $0.idleRunners.append(runner) }
  }

  /// Runs queries in one snapshot, and delivers their values. Those that follow one that ended the snapshot
  /// by its error are run in another one.
  func run(_ batch: [ObservedQuery], as kind: RunKind = .batch) -> [any PendingCall] {
    do {
      let (pending, number) = try snapshots.read { db, number in
        var pending: [PendingFetch] = []
        for query in batch {
          pending.append(query.fetch(db, number: number))
          if pending[pending.count - 1].endedSnapshot { break }
        }
        return pending
      }
      let rest = Array(batch.dropFirst(pending.count))
      let calls = didRun(
        Array(batch.prefix(pending.count)),
        pending.map { $0.finish() },
        number: number,
        as: kind
      )
      return rest.isEmpty ? calls : calls + run(rest, as: kind)
    } catch {
      return didRun(batch, batch.map { $0.fail(error) }, number: 0, as: kind)
    }
  }

  /// Takes note of how queries have run in a snapshot, and delivers what they gave.
  func didRun(
    _ batch: [ObservedQuery],
    _ outcomes: [FetchOutcome],
    number: UInt64,
    as kind: RunKind = .batch
  ) -> [any PendingCall] {
    state.withLock { state in
      var changed: [UInt64] = []
      var hasGrown = false
      for (query, outcome) in zip(batch, outcomes) {
        let change = state.note(outcome, of: query.id, number: number)
        if change != .none { changed.append(query.id) }
        if change == .grown { hasGrown = true }
      }
      if !changed.isEmpty {
        // Under the lock, so that a commit either sees the growth or the old regions.
        let growth = hasGrown ? commits.observedTablesDidGrow() : commits.observationGrowth
        for id in changed { state.entries[id]?.growth = growth }
      }
      state.endPendingRuns(batch.count)
    }
    // Otherwise the monitor's ticks do it.
    if monitor == nil, outcomes.contains(where: \.hasFailed) { retryLater() }
    let calls = zip(batch, outcomes).flatMap {
      $1.mustDeliver ? $0.deliver(upTo: number) : []
    }
    let (work, waiters, awaited) = state.withLock { state in
      var awaited: [(query: ObservedQuery, number: UInt64)] = []
      for query in batch {
        let number = state.endRun(query, number: number)
        guard query.mayHaveNewcomers else { continue }
        awaited.append((query, number))
        state.entries[query.id]?.tellings += 1
      }
      switch kind {
      case .batch: break
      case .slow: state.slowRuns -= 1
      case .first: state.firstRuns -= 1
      }
      let waiters = state.takeWaiters(after: batch.lazy.map(\.id))
      return (state.schedule(), waiters, awaited)
    }
    if !awaited.isEmpty { tellNewcomers(of: awaited) }
    begin(work)
    for resume in waiters { resume() }
    return calls
  }

  /// Tells the values of queries to those who came while these were run: a value that is equal to the
  /// one before is not delivered.
  private func tellNewcomers(of queries: [(query: ObservedQuery, number: UInt64)]) {
    for (query, number) in queries { query.deliverToNewcomers(upTo: number) }
    let waiters = state.withLock { state in
      for (query, _) in queries { state.entries[query.id]?.tellings -= 1 }
      return state.takeWaiters(after: queries.lazy.map(\.query.id))
    }
    for resume in waiters { resume() }
  }
}
