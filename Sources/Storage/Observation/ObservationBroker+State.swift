internal import Dispatch

extension ObservationBroker {
  /// What the broker knows, and what it has still to do.
  struct State {
    var nextID: UInt64 = 0
    var queries: [UInt64: ObservedQuery] = [:]
    var index = RegionIndex()
    /// The snapshot that each query was run in last.
    var numbers: [UInt64: UInt64] = [:]
    /// The queries to run, because something they read has changed.
    var dirty: Set<UInt64> = []
    /// The queries whose last run failed.
    var failed: Set<UInt64> = []
    /// Whether a runner has batches to run, or is running one.
    var isRunning = false
    /// The runners that do nothing: threads that run batches, one at a time.
    var idleRunners: [DispatchQueue] = []
    /// How many runs are under way whose region is not in the index yet.
    var pendingRuns = 0
    /// The commits since the first of those began.
    var recentCommits: [(number: UInt64, changes: CommittedChanges)] = []
    var isClosed = false
    var statistics = ObservationStatistics()
  }
}

extension ObservationBroker.State {
  /// Marks the queries that changes touch, unless they were run in a later snapshot.
  mutating func markDirty(number: UInt64, _ changes: DatabaseChanges) {
    for id in index.observations(touchedBy: changes) where (numbers[id] ?? 0) < number {
      dirty.insert(id)
    }
  }

  /// Takes note of a run: counts it, indexes what it has read, and marks the query again when one of
  /// the commits since its snapshot touches that.
  ///
  /// - Returns: Whether what is observed has changed.
  mutating func note(
    _ outcome: FetchOutcome,
    of id: UInt64,
    number: UInt64
  ) -> Bool {
    statistics.refetches += 1
    if outcome.mustDeliver {
      statistics.deliveries += 1
    } else if !outcome.hasFailed {
      statistics.suppressed += 1
    }
    // It may have been removed meanwhile.
    guard queries[id] != nil else { return false }
    numbers[id] = number
    if outcome.hasFailed { failed.insert(id) } else { failed.remove(id) }
    // A query that could not be run may depend on anything.
    guard let region = outcome.region ?? (index.region(of: id) == nil ? .fullDatabase : nil) else {
      return false
    }
    // What a query has begun to read was not looked at by the transactions before.
    let isKnown = index.region(of: id) == region
    let hasChanged = index.set(region, of: id)
    let mustRunAgain = recentCommits.contains { commit in
      commit.number > number
        && region.isTouched(by: isKnown ? commit.changes.observed : commit.changes.touched)
    }
    if mustRunAgain { dirty.insert(id) }
    return hasChanged
  }

  /// - Returns: Whether the caller must schedule a batch.
  mutating func schedule() -> Bool {
    guard !isRunning, !dirty.isEmpty, !isClosed else { return false }
    isRunning = true
    return true
  }
}
