internal import Dispatch

extension ObservationBroker {
  /// A query, and what is known of its runs.
  struct Entry {
    let query: ObservedQuery
    /// The snapshot that it was run in last.
    var number: UInt64 = 0
    /// Whether a run is under way, or its result is being delivered: one at a time.
    var isRunning = true
    /// How many threads are about to tell newcomers the latest value.
    var tellings = 0
    /// The first commit since its last snapshot that touches it.
    var dirtySince: UInt64 = 0
    /// How often what is observed had grown when its region was set.
    var growth: UInt64 = 0
    /// Whether the last run failed.
    var hasFailed = false
    /// How long the last two runs took, in nanoseconds.
    var durations: (last: UInt64, before: UInt64)?

    /// The last commits that touched it.
    var wakeUps: [(number: UInt64, changes: DatabaseChanges)] = []

    /// Remembers a commit that touches the query.
    mutating func noteWakeUp(_ number: UInt64, _ changes: DatabaseChanges) {
      if wakeUps.count == State.maximumWakeUps { wakeUps.removeFirst() }
      wakeUps.append((number, changes))
    }

    /// How long a run takes when nothing disturbs it.
    var cost: UInt64 { durations.map { min($0.last, $0.before) } ?? 0 }
    /// Whether it would make others wait.
    var isSlow: Bool { cost > State.slowQuery }
  }

  /// When a query is run again that failed. What changes in the database makes it run anyway; this is for
  /// what does not come from there, such as a locked file or a full disk.
  struct Retry {
    private static let firstDelay: UInt64 = 1_000_000_000
    private static let maximumDelay: UInt64 = 64_000_000_000

    /// In nanoseconds, on the clock of `DispatchTime`.
    let time: UInt64
    private let delay: UInt64

    /// - Parameter last: The one that has failed too.
    init(after last: Retry?) {
      delay = last.map { min($0.delay * 2, Self.maximumDelay) } ?? Self.firstDelay
      time = DispatchTime.now().uptimeNanoseconds + delay
    }
  }

  /// Someone who waits until the runs that some commits call for are done.
  struct Waiter {
    /// The last of these commits.
    let number: UInt64
    /// The queries that are not done.
    var pending: Set<UInt64>
    let resume: @Sendable () -> Void
  }

  /// What the broker knows, and what it has still to do.
  struct State {
    /// A query that takes longer than this, in nanoseconds, is run by itself: others do not wait for
    /// it.
    static let slowQuery: UInt64 = 10_000_000

    /// The other queries are run together, as many as take no longer than this, so that a batch keeps
    /// its snapshot, and with it the WAL, for a short time only.
    static let batchDuration: UInt64 = 50_000_000

    /// How many commits that touched a query are remembered.
    static let maximumWakeUps = 8

    /// How long a runner waits awake for the next commit, in nanoseconds. Waking its thread takes tens
    /// of microseconds on an idle processor, which is many times what a small query takes.
    static let maximumWait: UInt64 = 100_000

    var nextID: UInt64 = 0
    var entries: [UInt64: Entry] = [:]
    var index = RegionIndex()
    /// The queries to run, because something they read has changed.
    var dirty: Set<UInt64> = []
    /// The queries whose last run failed, and when each is tried again.
    var failed: [UInt64: Retry] = [:]
    /// Whether a runner has batches to run, or is running one.
    var isRunningBatches = false
    /// Whether that runner waits awake for the next commit.
    var isAwaitingCommit = false
    /// When a runner had nothing more to do the last time.
    var lastBatchEnd: UInt64 = 0
    /// Whether the last commit came so soon after that, that waiting awake would have been worth it.
    var commitsFollowQuickly = false
    /// How many slow queries are being run.
    var slowRuns = 0
    /// How many queries are run for the first time on threads of the library. Any of them may be slow.
    var firstRuns = 0
    /// The queries that wait for that, in the order in which they came.
    var newcomers: ArraySlice<ObservedQuery> = []
    /// How many connections read.
    let maximumReaders: Int
    /// The runners that do nothing: threads that run queries, one batch at a time.
    var idleRunners: [DispatchQueue] = []
    /// How many runs are under way whose region is not in the index yet.
    var pendingRuns = 0
    /// The commits since the first of those began.
    var recentCommits: [(number: UInt64, changes: CommittedChanges)] = []
    /// The last commit that was told.
    var lastNumber: UInt64 = 0
    var waiters: [Waiter] = []
    var isClosed = false
    var statistics = ObservationStatistics()
  }
}

extension ObservationBroker.State {
  // MARK: Marking

  /// Marks the queries that a commit touches, unless they were run in a later snapshot.
  ///
  /// - Parameters:
  ///   - number: The number of the commit.
  ///   - changes: What it has changed.
  ///   - growth: How often what is observed has grown by now.
  /// - Returns: Whether there are some that were not marked before.
  mutating func markDirty(
    number: UInt64,
    _ changes: CommittedChanges,
    growth: UInt64
  ) -> Bool {
    var isNews = false
    for id in index.observations(touchedBy: changes.observed)
    where markDirty(id, number: number, changes.observed) { isNews = true }
    guard changes.growth < growth, case .tables = changes.observed else { return isNews }
    // What began to be observed during the transaction was not looked at.
    let touched = changes.touched
    for id in index.observations(touchedBy: touched) {
      guard let entry = entries[id], entry.growth > changes.growth, !dirty.contains(id) else {
        continue
      }
      if markDirty(id, number: number, touched) { isNews = true }
    }
    return isNews
  }

  private mutating func markDirty(
    _ id: UInt64,
    number: UInt64,
    _ changes: DatabaseChanges
  ) -> Bool {
    guard let entry = entries[id], entry.number < number else { return false }
    entries[id]?.noteWakeUp(number, changes)
    guard dirty.insert(id).inserted else { return false }
    entries[id]?.dirtySince = number
    return true
  }

  /// Marks a query though nothing has changed.
  mutating func markForRefetch(_ id: UInt64) {
    guard entries[id] != nil else { return }
    if dirty.insert(id).inserted { entries[id]?.dirtySince = lastNumber }
  }

  /// Marks the queries that failed, and are to be tried again by now: what they failed of may have passed.
  mutating func markFailed(at now: UInt64) {
    for (id, retry) in failed where retry.time <= now {
      if dirty.insert(id).inserted { entries[id]?.dirtySince = lastNumber }
    }
  }

  /// Takes note of a run: counts it, indexes what it has read, and marks the query again when one of
  /// the commits since its snapshot touches that.
  ///
  /// - Returns: What that means for what is observed.
  mutating func note(
    _ outcome: FetchOutcome,
    of id: UInt64,
    number: UInt64
  ) -> RegionChange {
    statistics.refetches += 1
    if outcome.mustDeliver {
      statistics.deliveries += 1
    } else if !outcome.hasFailed {
      statistics.suppressed += 1
    }
    // It may have been removed meanwhile.
    guard var entry = entries[id] else { return .none }
    entry.number = number
    entry.hasFailed = outcome.hasFailed
    entry.durations = (outcome.duration, entry.durations?.last ?? outcome.duration)
    entries[id] = entry
    failed[id] = outcome.hasFailed ? ObservationBroker.Retry(after: failed[id]) : nil
    // A query that could not be run may depend on anything.
    guard let region = outcome.region ?? (index.region(of: id) == nil ? .fullDatabase : nil) else {
      return .none
    }
    // The commits of the meantime have marked it already.
    if index.region(of: id) == region { return .none }
    let isNew = index.set(region, of: id)
    // What a query has begun to read was not looked at by the transactions before.
    let missed = recentCommits.first { commit in
      commit.number > number && region.isTouched(by: commit.changes.touched)
    }
    if let missed { _ = markDirty(id, number: missed.number, missed.changes.touched) }
    return isNew ? .grown : .moved
  }

  /// What a run means for what is observed.
  enum RegionChange {
    /// The query has read what it had read before.
    case none
    /// It has read something else, which others observe.
    case moved
    /// It has read something that nobody observed, or may have.
    case grown
  }

  // MARK: Choosing what runs

  /// What the caller must start outside of the lock.
  struct Work {
    enum Batch {
      /// There is none, or somebody takes it anyway.
      case none
      /// Somebody must take batches until there are none.
      case start
      /// The runner that waits awake must be told.
      case awaited
    }

    var batch = Batch.none
    /// Queries that are each run by itself.
    var slow: [ObservedQuery] = []
    /// Queries that are each run for the first time.
    var first: [ObservedQuery] = []
  }

  /// Decides who runs what is new or dirty.
  mutating func schedule() -> Work {
    var work = Work()
    guard !isClosed else { return work }
    while let query = takeNewcomer() { work.first.append(query) }
    guard !dirty.isEmpty else { return work }
    var hasBatch = false
    var slow: [(since: UInt64, id: UInt64)] = []
    for id in dirty {
      guard let entry = entries[id], !entry.isRunning else { continue }
      if entry.isSlow { slow.append((entry.dirtySince, id)) } else { hasBatch = true }
    }
    if hasBatch, isAwaitingCommit {
      work.batch = .awaited
    } else if hasBatch, !isRunningBatches {
      isRunningBatches = true
      work.batch = .start
      commitsFollowQuickly =
        DispatchTime.now().uptimeNanoseconds - lastBatchEnd < Self.maximumWait
    }
    // Whoever waits longest comes first.
    for (_, id) in slow.sorted(by: <) where maySlowRunBegin {
      if let query = take(id) {
        slowRuns += 1
        work.slow.append(query)
      }
    }
    return work
  }

  // One reader is left for the quick queries, and one for other reads.
  private var maySlowRunBegin: Bool {
    slowRuns < max(1, min(maximumReaders - 2, maximumReaders - 1 - firstRuns))
  }

  /// Takes a query that is to be run for the first time, when one may begin.
  private mutating func takeNewcomer() -> ObservedQuery? {
    guard firstRuns < max(1, maximumReaders - 1 - slowRuns) else { return nil }
    while let query = newcomers.popFirst() {
      if newcomers.isEmpty { newcomers = [] }
      guard entries[query.id] != nil else {
        endPendingRuns(1)
        continue
      }
      firstRuns += 1
      return query
    }
    return nil
  }

  /// Takes note that what some runs have read is in the index, or does not count.
  mutating func endPendingRuns(_ count: Int) {
    pendingRuns -= count
    if pendingRuns == 0 { recentCommits.removeAll() }
  }

  /// Takes the next batch; `nil` when there is none: then a new runner is scheduled for the next one.
  mutating func takeBatch() -> [ObservedQuery]? {
    var batch: [ObservedQuery] = []
    var duration: UInt64 = 0
    for id in dirty.sorted() {
      guard let entry = entries[id], !entry.isRunning, !entry.isSlow else { continue }
      duration += entry.cost
      if duration > Self.batchDuration, !batch.isEmpty { break }
      if let query = take(id) { batch.append(query) }
    }
    isRunningBatches = !batch.isEmpty
    return batch.isEmpty ? nil : batch
  }

  /// Says whether a runner that has nothing to do shall wait awake for the next commit.
  mutating func beginWaiting() -> Bool {
    lastBatchEnd = DispatchTime.now().uptimeNanoseconds
    guard commitsFollowQuickly, !isRunningBatches, !isClosed else { return false }
    isRunningBatches = true
    isAwaitingCommit = true
    return true
  }

  /// Ends the waiting.
  ///
  /// - Returns: Whether the runner must take batches.
  mutating func endWaiting() -> Bool {
    isAwaitingCommit = false
    isRunningBatches = dirty.contains { id in
      entries[id].map { !$0.isRunning && !$0.isSlow } ?? false
    }
    commitsFollowQuickly = isRunningBatches
    return isRunningBatches
  }

  private mutating func take(_ id: UInt64) -> ObservedQuery? {
    dirty.remove(id)
    entries[id]?.isRunning = true
    pendingRuns += 1
    return entries[id]?.query
  }

  // MARK: Waiting

  /// The queries that have still to be run for commits up to `number`, or whose values have still to
  /// be delivered.
  func unsettled(_ number: UInt64) -> Set<UInt64> {
    Set(entries.keys.filter { !isQuiet($0, number) })
  }

  func isSettled(_ id: UInt64, _ number: UInt64) -> Bool {
    guard let entry = entries[id] else { return true }
    return !entry.isRunning && !(dirty.contains(id) && entry.dirtySince <= number)
  }

  /// Whether all subscribers have been told, too.
  private func isQuiet(_ id: UInt64, _ number: UInt64) -> Bool {
    isSettled(id, number) && entries[id].map { $0.tellings == 0 } ?? true
  }

  /// Takes note that a run is over, with its deliveries.
  ///
  /// - Parameters:
  ///   - query: What was run.
  ///   - number: The snapshot that it was run in.
  /// - Returns: The last commit that the query's latest value includes, as far as is known.
  mutating func endRun(_ query: ObservedQuery, number: UInt64) -> UInt64 {
    entries[query.id]?.isRunning = false
    return isSettled(query.id, lastNumber) ? lastNumber : number
  }

  /// Takes those who need not wait any longer, after something has happened to a query.
  mutating func takeWaiters(after ids: some Sequence<UInt64>) -> [@Sendable () -> Void] {
    guard !waiters.isEmpty else { return [] }
    for index in waiters.indices {
      for id in ids where isQuiet(id, waiters[index].number) { waiters[index].pending.remove(id) }
    }
    defer { waiters.removeAll { $0.pending.isEmpty } }
    return waiters.filter(\.pending.isEmpty).map(\.resume)
  }
}
