internal import WellspringSystem

/// Decides which live queries run, when, and which of them run together.
///
/// It is pure: it runs nothing, waits for nothing and reads no clock. The ``ObservationBroker``
/// that holds it under its lock acts on its decisions, after unlocking. Times are in nanoseconds,
/// on any monotonic clock. It cannot be copied: a copy would share the entries.
struct BrokerStateMachine<Query: Identifiable & Sendable, Waiter: Sendable>: ~Copyable
where Query.ID == QueryID {
  private var nextID: UInt64 = 0
  var entries: [QueryID: Entry] = [:]
  /// The regions of the queries.
  var index = RegionIndex()
  /// The queries that are due, including running ones, without resting ones: a commit must not look
  /// at them again.
  var due: Set<QueryID> = []
  /// The queries whose last snapshot may have contained foreign commits before they were announced.
  ///
  /// Foreign commits that are found together are announced together, without rows that one commit
  /// changes and a later commit changes back. So the next foreign commits touch these queries,
  /// whichever rows they have changed.
  var inexact: Set<QueryID> = []
  /// When each query whose last run failed is tried again.
  var retries: [QueryID: QueryRetry] = [:]
  /// The time for which a timer is set to try queries again.
  var plannedRetry: UInt64?

  var batchRunner = BatchRunner()
  /// How many slow queries are running.
  var slowRuns = 0
  /// How many queries are running for the first time on threads of the library. Any of them may be
  /// slow.
  var firstRuns = 0
  /// The queries that wait for their first run.
  var awaitingFirstRun = FIFO<Query>()
  /// The maximum number of connections that read.
  let maximumReaders: Int
  var pace: RunPace

  /// How many runs are under way whose region is not in the index yet.
  var unindexedRuns = 0
  /// The commits since the first of these runs began.
  var recentCommits: [(number: CommitNumber, changes: CommittedChanges)] = []
  /// The last commits, for explanations.
  var lastCommits: [(number: CommitNumber, changes: CommittedChanges)] = []
  /// The last commit that was announced.
  var lastNumber = CommitNumber.none

  /// The commits that were announced.
  var announced = CommitRanges()

  var waits: [Wait] = []
  private(set) var isClosed = false
  /// The counts so far, without the number of live queries.
  var counts = ObservationStatistics()

  /// - Parameters:
  ///   - maximumReaders: The maximum number of connections that read.
  ///   - share: The share of a core that runs may take after the first ones; `nil` for no limit.
  init(maximumReaders: Int, share: Double? = nil) {
    self.maximumReaders = maximumReaders
    pace = RunPace(share: share)
  }

  var isEmpty: Bool { entries.isEmpty }

  /// The live queries.
  var queries: [Query] { entries.values.map(\.query) }

  /// The counts so far.
  var statistics: ObservationStatistics {
    var statistics = counts
    statistics.live = entries.count
    statistics.waiting = due.count
    statistics.patchMemory = entries.values.reduce(0) { $0 + $1.patchMemory }
    return statistics
  }

  // MARK: Queries come and go

  /// Returns the identity of a new query.
  mutating func makeID() -> QueryID {
    defer { nextID += 1 }
    return QueryID(nextID)
  }

  /// The next step of the caller that starts a query.
  enum Admission: Sendable {
    /// Run the query for the first time, or call ``BrokerStateMachine/awaitFirstRun(of:now:)``.
    case mustRun
    /// Nothing: the query will be run, or is being run, on another thread. If it has rested,
    /// schedule it.
    case isPending(hasRested: Bool)
    /// Deliver its latest value, which includes all commits. The number is that of the last commit.
    case isCurrent(CommitNumber)
    /// Close it: the database is closed.
    case isClosed
  }

  /// Admits a query that a subscriber starts.
  mutating func admit(_ query: Query) -> Admission {
    guard !isClosed else { return .isClosed }
    if entries[query.id] != nil {
      let hasRested = endRest(of: query.id)
      return isSettled(query.id, lastNumber)
        ? .isCurrent(lastNumber) : .isPending(hasRested: hasRested)
    }
    entries[query.id] = Entry(query: query)
    unindexedRuns += 1
    return .mustRun
  }

  /// The next steps of the caller that has removed a query.
  struct Removal: Sendable {
    /// Whether the query was live.
    let wasLive: Bool
    /// Whether no query is left.
    let isEmpty: Bool
    /// Whether less is observed than before.
    let hasShrunk: Bool
    /// Resume these waiters.
    let waiters: [Waiter]
  }

  /// Removes a query. It is not run again; a run that is under way continues.
  mutating func remove(_ id: QueryID) -> Removal {
    // The caller holds the query, and releases it outside the lock.
    let removed = entries.removeValue(forKey: id)
    if !due.isEmpty { due.remove(id) }
    if !inexact.isEmpty { inexact.remove(id) }
    if !retries.isEmpty { retries[id] = nil }
    let waiters = takeWaiters(after: CollectionOfOne(id))
    return Removal(
      wasLive: removed != nil,
      isEmpty: entries.isEmpty,
      hasShrunk: index.remove(id),
      waiters: waiters
    )
  }

  /// Ends all queries, and admits no further ones.
  ///
  /// - Returns: The queries to close, the waiters to resume after that, and queries to release. All
  ///   are empty when the state machine was closed before.
  mutating func close() -> (queries: [Query], waiters: [Waiter], released: [Query]) {
    guard !isClosed else { return ([], [], []) }
    isClosed = true
    defer {
      entries.removeAll()
      due.removeAll()
      waits.removeAll()
    }
    return (queries, waits.map(\.waiter), awaitingFirstRun.removeAll())
  }

  /// Returns the rows that have changed since the last values of queries, where they are known.
  ///
  /// - Parameters:
  ///   - batch: The queries.
  ///   - number: The snapshot in which they are about to run.
  /// - Returns: The rows, for each query for which all are known.
  func changedRows(of batch: [Query], upTo number: CommitNumber) -> [QueryID: ChangedRows] {
    var rows: [QueryID: ChangedRows] = [:]
    for query in batch {
      guard let entry = entries[query.id],
        Fault.isOn(.patchUnannounced)
          || announced.contains(after: entry.number, upTo: number)
      else { continue }
      rows[query.id] = entry.changedRows(upTo: number)
    }
    return rows
  }

  /// The region of a query's last run, the last commits that touched it, and the last commits that
  /// changed a table which it reads without touching it.
  func explanation(
    of id: QueryID
  ) -> (
    region: DatabaseRegion?, wakeUps: [WakeUp],
    skipped: [ObservationExplanation.SkippedCommit], isPatched: Bool
  ) {
    guard let entry = entries[id], let region = index.region(of: id) else {
      return (nil, entries[id]?.wakeUps ?? [], [], false)
    }
    let skipped = lastCommits.compactMap { commit -> ObservationExplanation.SkippedCommit? in
      guard commit.number > entry.firstNumber,
        let reason = region.reasonToSkip(commit.changes),
        !entry.wakeUps.contains(where: { $0.number == commit.number })
      else { return nil }
      return .init(number: commit.number.rawValue, reason: reason)
    }
    return (region, entry.wakeUps, skipped, !index.patchInputs(of: id).isEmpty)
  }
}
