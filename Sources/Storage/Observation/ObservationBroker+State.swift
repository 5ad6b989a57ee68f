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
    /// Whether a run can begin, among the slow queries or among the others.
    func mayRun(slow: Bool) -> Bool { !isRunning && isSlow == slow }
  }

  /// When a query is run again that failed. What changes in the database makes it run anyway; this is for
  /// what does not come from there, such as a locked file or a full disk.
  struct Retry {
    private static let firstDelay: UInt64 = 1_000_000_000
    private static let maximumDelay: UInt64 = 64_000_000_000

    /// In nanoseconds, on the clock of `DispatchTime`.
    let time: UInt64
    private let delay: UInt64

    /// - Parameters:
    ///   - last: The one before, if the run before has failed too. It stands when its time has not come:
    ///     then a commit has made the query run.
    ///   - now: The time.
    init(after last: Retry?, at now: DispatchTime) {
      let now = now.uptimeNanoseconds
      if let last, last.time > now {
        self = last
      } else {
        delay = last.map { min($0.delay * 2, Self.maximumDelay) } ?? Self.firstDelay
        time = now + delay
      }
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
    /// When the next of them is tried again, where a timer of its own does that.
    var plannedRetry: UInt64?
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
