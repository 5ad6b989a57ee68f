internal import Dispatch
internal import Synchronization
internal import WellspringSystem

/// The threads that run queries: batches of quick ones, and slow ones separately.
extension ObservationBroker {
  func begin(_ work: StateMachine.Work) {
    switch work.batch {
    case .none: break
    case .start: startBatches()
    case .awaited: hasBatch.store(true, ordering: .releasing)
    }
    if let end = work.pauseEnd { endPause(at: end) }
    for query in work.slow { startSlow(query) }
    for query in work.first { startFirst(query) }
  }

  private func startBatches() {
    let runner = runners.take()
    runner.async { [self] in
      repeat {
        var calls: [any PendingCall] = []
        while let batch = machine.withLock({ $0.takeBatch(now: Self.now) }) {
          CallRun.dispatch(calls)
          calls = run(batch)
        }
        if let end = machine.withLock({ $0.planPauseEnd(now: Self.now) }) { endPause(at: end) }
        // Other runners can serve the observations meanwhile. So this runner makes the calls on its
        // own thread, which saves waking another thread.
        CallRun.make(calls)
      } while awaitCommit()
      runners.giveBack(runner)
    }
  }

  /// Busy-waits for the next commit, when the last commits came in quick succession.
  ///
  /// - Returns: Whether there is a batch to be taken.
  private func awaitCommit() -> Bool {
    hasBatch.store(false, ordering: .relaxed)
    guard machine.withLock({ $0.beginWaiting(now: Self.now) }) else { return false }
    let deadline = Self.now + BrokerLimits.maximumWait
    while !hasBatch.exchange(false, ordering: .acquiringAndReleasing), Self.now < deadline {
      CurrentThread.yield()
    }
    return machine.withLock { $0.endWaiting() }
  }

  private func startSlow(_ query: ObservedQuery) {
    let runner = runners.take()
    runner.async { [self] in
      CallRun.make(run([query], as: .slow))
      runners.giveBack(runner)
    }
  }

  private func startFirst(_ query: ObservedQuery) {
    let submit: @Sendable () -> Void = { [self] in
      snapshots.submit { db, number, isExact in
        query.fetch(db, in: number, isExact: isExact)
      } completion: { [self] result in
        let calls = ThreadScope.blocking.run {
          switch result {
          case .success((let fetched, let number)):
            didRun([query], [query.accept(fetched)], in: number, as: .first)
          case .failure(let error):
            didRun([query], [query.fail(error)], in: .none, as: .first)
          }
        }
        CallRun.dispatch(calls)
      }
    }
    // The monitor's first look at the file may block, and the calling thread must not.
    if let monitor { monitor.resume(then: submit) } else { submit() }
  }

  /// Runs queries in one snapshot, and delivers their values. When the error of a query ends the
  /// snapshot, the queries after it run in another snapshot.
  ///
  /// - Returns: Calls that the caller must make or dispatch.
  func run(_ batch: [ObservedQuery], as kind: RunKind = .batch) -> [any PendingCall] {
    // Foreign code runs on the way: `==` of values, and `deinit` of the values before. It must not
    // wait for a query that waits for the end of this run.
    ThreadScope.blocking.run {
      do {
        let (fetched, number) = try snapshots.read { db, number, isExact in
          let changed =
            isExact ? machine.withLock { $0.changedRows(of: batch, upTo: number) } : [:]
          var fetched: [ObservedQuery.Fetched] = []
          for query in batch {
            fetched.append(
              query.fetch(db, in: number, isExact: isExact, changed: changed[query.id])
            )
            if fetched[fetched.count - 1].run.endedSnapshot { break }
          }
          return fetched
        }
        let rest = Array(batch.dropFirst(fetched.count))
        let calls = didRun(
          Array(batch.prefix(fetched.count)),
          zip(batch, fetched).map { $0.accept($1) },
          in: number,
          as: kind
        )
        return rest.isEmpty ? calls : calls + run(rest, as: kind)
      } catch {
        return didRun(batch, batch.map { $0.fail(error) }, in: .none, as: kind)
      }
    }
  }

  /// Records the runs of queries in a snapshot, and delivers their values.
  ///
  /// - Returns: Calls that the caller must make or dispatch.
  func didRun(
    _ batch: [ObservedQuery],
    _ deliveries: [Delivery],
    in number: CommitNumber,
    as kind: RunKind = .batch
  ) -> [any PendingCall] {
    machine.withLock { machine in
      let changes = machine.runsDidEnd(of: batch, deliveries, in: number, now: Self.now)
      guard !changes.queries.isEmpty else { return }
      // Under the lock, so that a commit sees either the growth or the old regions.
      let growth = changes.hasGrown ? commits.observedTablesDidGrow() : commits.observationGrowth
      machine.setGrowth(growth, of: changes.queries)
    }
    // With a monitor, its ticks retry failed queries.
    recordRun(of: batch, deliveries)
    if monitor == nil, deliveries.contains(where: \.hasFailed) { retryLater() }
    let calls = CallRun.dispatchOnQueues(
      zip(batch, deliveries).flatMap { $1.mustDeliver ? $0.deliver(upTo: number) : [] }
    )
    let aftermath = machine.withLock { machine in
      machine.deliveriesDidEnd(of: batch, in: number, as: kind, now: Self.now) {
        $0.pace
      } hasNewSubscribers: {
        $0.mayHaveNewSubscribers
      }
    }
    for (id, end) in aftermath.rests { endRest(of: id, at: end) }
    if !aftermath.lateDeliveries.isEmpty { deliverLate(aftermath.lateDeliveries) }
    begin(aftermath.work)
    for resume in aftermath.waiters { resume() }
    return calls
  }

  /// Lets a query run again when its subscribers want another value.
  private func endRest(of id: QueryID, at end: UInt64) {
    begin(at: end) { $0.restDidEnd(of: id, at: end, now: Self.now) }
  }

  /// Lets queries run again after a pause.
  private func endPause(at end: UInt64) {
    begin(at: end) { $0.pauseDidEnd(now: Self.now) }
  }

  /// Decides at a time which queries run, and starts them.
  private func begin(
    at time: UInt64,
    _ decide: @escaping @Sendable (inout StateMachine) -> StateMachine.Work
  ) {
    DispatchQueue.global().asyncAfter(deadline: DispatchTime(uptimeNanoseconds: time)) {
      [weak self] in
      guard let self else { return }
      begin(machine.withLock { decide(&$0) })
    }
  }

  /// Delivers the values of queries to subscribers that came while the queries ran. Without this,
  /// they would miss a value that is equal to the one before it.
  private func deliverLate(_ deliveries: [(query: ObservedQuery, number: CommitNumber)]) {
    for (query, number) in deliveries { query.deliverToNewSubscribers(upTo: number) }
    let waiters = machine.withLock { $0.lateDeliveriesDidEnd(of: deliveries.lazy.map(\.query)) }
    for resume in waiters { resume() }
  }
}

/// Records the observations of the database for its instruments.
extension ObservationBroker {
  func recordStart(of query: ObservedQuery) {
    guard let instrumentation else { return }
    instrumentation.record(.observationStarted(query.activity))
  }

  func recordEnd(of query: ObservedQuery) {
    guard let instrumentation else { return }
    instrumentation.record(.observationEnded(query.activity))
  }

  /// Records queries that have run in one snapshot, and which of them have failed.
  func recordRun(of batch: [ObservedQuery], _ deliveries: [Delivery]) {
    guard let instrumentation else { return }
    for (query, delivery) in zip(batch, deliveries) {
      guard let error = delivery.error else { continue }
      instrumentation.record(.observationFailed(query.activity, error))
    }
    instrumentation.record(
      .batch(
        DatabaseActivity.Batch(
          queryCount: batch.count,
          deliveryCount: deliveries.count(where: \.mustDeliver),
          duration: Duration(clockNanoseconds: deliveries.reduce(0) { $0 &+ $1.run.duration })
        )
      )
    )
  }
}

extension ObservedQuery {
  /// The query as instruments see it.
  fileprivate var activity: DatabaseActivity.Observation {
    DatabaseActivity.Observation(id: id.rawValue, statements: statements)
  }
}
