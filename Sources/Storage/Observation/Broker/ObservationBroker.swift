internal import Dispatch
internal import Synchronization
internal import WellspringSystem

/// Runs the live queries of one pool: it is notified of every commit, finds the queries that the
/// changes touch, and runs these queries together in one snapshot.
///
/// ``BrokerStateMachine`` decides; the broker acts on its decisions outside the lock.
final class ObservationBroker: CommitListener, Sendable {
  typealias StateMachine = BrokerStateMachine<ObservedQuery, @Sendable () -> Void>

  let commits: FileCommits
  let snapshots: SnapshotSource
  /// Notices foreign commits; `nil` for a database without a file.
  let monitor: ForeignCommitMonitor?
  /// The queries of requests. Observations of equal requests share one query.
  let sharedQueries = WeakTable()
  // Guards the queries and their schedule. SQL and deliveries run outside it, and no other lock is
  // taken under it.
  let machine: Lock<StateMachine>
  let runners: RunnerPool
  /// The instruments of the database; `nil` when it has none.
  let instrumentation: Instrumentation?
  /// Set when there is a batch for the runner that busy-waits.
  let hasBatch = Atomic(false)

  /// - Parameters:
  ///   - commits: Where commits come from.
  ///   - snapshots: Where queries read.
  ///   - monitor: Notices foreign commits; `nil` for a database without a file. Only this broker
  ///     uses it.
  ///   - maximumReaders: The maximum number of connections that read.
  ///   - share: ``Configuration/observationShare``.
  ///   - label: The prefix of the labels of threads.
  ///   - instrumentation: The instruments of the database.
  init(
    commits: FileCommits,
    snapshots: SnapshotSource,
    monitor: ForeignCommitMonitor?,
    maximumReaders: Int,
    share: Double? = nil,
    label: String,
    instrumentation: Instrumentation? = nil
  ) {
    self.commits = commits
    self.snapshots = snapshots
    self.monitor = monitor
    machine = Lock(StateMachine(maximumReaders: maximumReaders, share: share))
    self.instrumentation = instrumentation
    runners = RunnerPool(label: "\(label).observations")
    commits.add(self)
    monitor?.setHandlers(
      didChange: { [weak self] in self?.didNotice($0) },
      didTick: { [weak self] in self?.retryFailed() },
      isNeeded: { [weak self] in self?.hasQueries ?? false }
    )
  }

  var statistics: ObservationStatistics {
    var statistics = machine.withLock { $0.statistics }
    statistics.pageMemory = commits.pageMemory
    return statistics
  }

  /// The number of the last commit that was announced.
  var lastNumber: CommitNumber { machine.withLock { $0.lastNumber } }

  private var hasQueries: Bool { machine.withLock { !$0.isEmpty } }

  /// The tables, columns and rows that the queries of this pool read.
  var observedTables: ObservedTables { machine.withLock { $0.index.observedTables } }

  /// Whether the calling thread is in an access that a first value would have to wait for.
  private var isUsedByCurrentThread: Bool {
    snapshots.readers.isUsedByCurrentThread || snapshots.watching?.isUsedByCurrentThread == true
  }

  /// The broker's clock, in nanoseconds.
  static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

  // MARK: Queries come and go

  /// Returns the identity of a new query.
  func makeID() -> QueryID { machine.withLock { $0.makeID() } }

  /// Lets a query run again that rests for its other subscribers, because a new subscriber wants
  /// each value.
  func endRest(of query: ObservedQuery) {
    begin(machine.withLock { $0.endRest(of: query.id, now: Self.now) })
  }

  /// Returns once a query has a value or an error; returns early where waiting could deadlock.
  func startAndWait(_ query: ObservedQuery) {
    switch admit(query) {
    case .isClosed:
      query.close()
    case .isCurrent:
      break
    case .isPending:
      // Another thread runs it. The caller must not wait for that thread while other threads wait
      // for the caller.
      guard !ThreadScope.blocking.isActive else { return }
      let done = DispatchSemaphore(value: 0)
      wait(for: query) { done.signal() }
      done.wait()
    case .mustRun:
      monitor?.resumeAndWait()
      guard !isUsedByCurrentThread else {
        let error = DatabaseError(
          resultCode: .SQLITE_MISUSE,
          message: """
            the first value was asked for inside an access to the same connection, which would \
            wait for itself: it comes after the access
            """
        )
        CallRun.dispatch(didRun([query], [query.fail(error)], in: .none))
        return refetch(query)
      }
      CallRun.dispatch(run([query]))
    }
  }

  /// Runs a query for the first time, on another thread; delivers its value to new subscribers if
  /// it has one.
  func start(_ query: ObservedQuery) {
    switch admit(query) {
    case .isClosed: query.close()
    case .isCurrent(let number): query.deliverToNewSubscribers(upTo: number)
    case .isPending(hasRested: true): begin(machine.withLock { $0.schedule(now: Self.now) })
    case .isPending: break
    case .mustRun: awaitFirstRun(of: query)
    }
  }

  /// Runs a query on another thread, even when its latest value is current.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - subscriber: Gets the result.
  ///   - completion: Called when the subscriber has got it.
  func startWithNewRun(
    of query: ObservedQuery,
    for subscriber: any ObservationSubscriber,
    _ completion: @escaping @Sendable () -> Void
  ) {
    switch admit(query) {
    case .isClosed:
      query.close()
      return completion()
    case .mustRun:
      awaitFirstRun(of: query)
    case .isCurrent, .isPending:
      refetch(query)
    }
    waitToDeliver(query, to: subscriber, completion)
  }

  /// Runs a started query again, unless it has ended.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - subscriber: Gets the result.
  ///   - completion: Called when the subscriber has got it.
  func refresh(
    _ query: ObservedQuery,
    for subscriber: any ObservationSubscriber,
    _ completion: @escaping @Sendable () -> Void
  ) {
    // `close()` may not have reached this query yet.
    if machine.withLock({ $0.isClosed }) { query.close() }
    refetch(query)
    waitToDeliver(query, to: subscriber, completion)
  }

  /// Waits for the runs of a query that are due now, delivers the latest result to a subscriber,
  /// and calls the completion.
  private func waitToDeliver(
    _ query: ObservedQuery,
    to subscriber: any ObservationSubscriber,
    _ completion: @escaping @Sendable () -> Void
  ) {
    wait(for: query) {
      // An unchanged value was not delivered again, and another thread may still be about to
      // deliver a changed one.
      query.deliver(to: subscriber)
      completion()
    }
  }

  /// Runs a query again, though nothing has changed.
  private func refetch(_ query: ObservedQuery) {
    begin(machine.withLock { $0.refetch(query.id, now: Self.now) })
  }

  /// Runs a query for the first time, when enough readers are left for other queries.
  private func awaitFirstRun(of query: ObservedQuery) {
    begin(machine.withLock { $0.awaitFirstRun(of: query, now: Self.now) })
  }

  private func admit(_ query: ObservedQuery) -> StateMachine.Admission {
    // Before the first snapshot: a transaction that begins after it must be tracked.
    commits.addObserver()
    let admission = machine.withLock { $0.admit(query) }
    if case .mustRun = admission {
      recordStart(of: query)
      return admission
    }
    commits.removeObserver()
    return admission
  }

  /// Removes a query. It is not run again; a run that is under way continues.
  func remove(_ query: ObservedQuery) {
    let removal = machine.withLock { $0.remove(query.id) }
    for resume in removal.waiters { resume() }
    guard removal.wasLive else { return }
    recordEnd(of: query)
    commits.removeObserver()
    if removal.hasShrunk { commits.observedTablesDidShrink() }
    if removal.isEmpty { monitor?.pause() }
  }

  /// Ends all queries, and notifies their subscribers.
  func close() {
    let (queries, waiters, released) = machine.withLock { $0.close() }
    defer { withExtendedLifetime(released) {} }
    monitor?.stop()
    snapshots.watching?.close(waits: false)
    for query in queries {
      commits.removeObserver()
      query.close()
      recordEnd(of: query)
    }
    for resume in waiters { resume() }
  }

  /// Closes the descriptors by which a file is watched, once all connections are closed.
  ///
  /// - Parameter waits: Whether to wait for the end of reads and looks that are under way.
  func closeProbes(waits: Bool) {
    guard let watching = snapshots.watching else { return FileProbes.closeUnused() }
    let close: @Sendable () -> Void = { [monitor] in
      // SQLite has descriptors of its own until its connections are closed.
      if !watching.isUsedByCurrentThread { watching.close(waits: true) }
      guard let monitor else { return watching.probes.close() }
      monitor.afterPresentWork { watching.probes.close() }
    }
    if waits { close() } else { DispatchQueue.global().async(execute: close) }
  }

  // MARK: Waiting

  /// Calls `resume` when the subscribers have caught up with everything that was committed before
  /// the call and is visible to this process: callbacks have returned, and loops can take their
  /// values.
  func whenQuiescent(_ resume: @escaping @Sendable () -> Void) {
    let flush: @Sendable () -> Void = { [self] in
      let group = DispatchGroup()
      for query in machine.withLock({ $0.queries }) {
        group.enter()
        query.flush { group.leave() }
      }
      group.notify(queue: .global(), execute: resume)
    }
    let waitForQueries: @Sendable () -> Void = { [self] in
      if !beginWaiting({ $0.waitForAll(flush) }) { flush() }
    }
    if let monitor { monitor.look(then: waitForQueries) } else { waitForQueries() }
  }

  /// Calls `resume` when a query has run for all commits so far.
  private func wait(for query: ObservedQuery, _ resume: @escaping @Sendable () -> Void) {
    if !beginWaiting({ $0.wait(resume, for: query.id) }) { resume() }
  }

  /// Registers a waiter, and runs the queries that need not rest any longer.
  ///
  /// - Returns: Whether there is anything to wait for.
  private func beginWaiting(_ wait: (inout StateMachine) -> Bool) -> Bool {
    let work = machine.withLock { machine in
      wait(&machine) ? machine.schedule(now: Self.now) : nil
    }
    if let work { begin(work) }
    return work != nil
  }

  // MARK: Commits

  /// Called after each commit, by the thread that made it or noticed it.
  func didCommit(number: CommitNumber, _ changes: CommittedChanges) {
    let work = machine.withLock { machine in
      machine.commitDidEnd(
        number,
        changes,
        // Read under the lock: see ``didRun(_:_:in:as:)``.
        growth: commits.observationGrowth,
        now: Self.now
      )
    }
    begin(work)
  }

  private func didNotice(_ found: FoundCommits) {
    commits.foreignCommitsWereFound(found.changes, by: self) {
      snapshots.notified?.set(found.index)
    }
  }

  // MARK: Retries

  /// Runs the queries again that failed some time ago: the cause may have passed.
  private func retryFailed(at now: UInt64 = now) {
    begin(machine.withLock { $0.retryFailed(at: now) })
  }

  /// Sets a timer for the query that is the next to be tried again.
  ///
  /// - Parameter now: The time. Queries whose time has come by then are being run.
  func retryLater(after now: UInt64 = now) {
    guard let time = machine.withLock({ $0.planRetry(after: now) }) else { return }
    DispatchQueue.global().asyncAfter(deadline: DispatchTime(uptimeNanoseconds: time)) {
      [weak self] in
      guard let self else { return }
      machine.withLock { $0.plannedRetryDidFire(time) }
      let now = Self.now
      retryFailed(at: now)
      retryLater(after: now)
    }
  }

  // MARK: Explaining

  /// Explains the region of a query, and why it has run.
  func explain(_ query: ObservedQuery) -> ObservationExplanation {
    let (region, wakeUps, skipped, isPatched) = machine.withLock { $0.explanation(of: query.id) }
    return ObservationExplanation(
      region: region,
      statements: query.statements,
      wakeUps: wakeUps.map { wakeUp in
        let touched = DatabaseRegion(wakeUp.changes)
        return ObservationExplanation.WakeUp(
          number: wakeUp.number.rawValue,
          region: touched.intersection(region ?? .fullDatabase),
          isUnspecific: touched.isFullDatabase,
          reason: wakeUp.obstacle?.description
        )
      },
      skippedCommits: skipped,
      isPatched: isPatched,
      patchObstacle: isPatched || region == nil ? nil : query.fetcher.obstacle?.description,
      statementObstacles: query.fetcher.statementObstacles.mapValues(\.description),
      statementPlans: isPatched ? query.fetcher.statementPlans : [:]
    )
  }
}
