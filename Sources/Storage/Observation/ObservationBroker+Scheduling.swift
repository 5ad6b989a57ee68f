internal import Dispatch

/// Who runs a query next.
extension ObservationBroker.State {
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
    let hasBatch = hasQuickQueries
    if hasBatch, isAwaitingCommit {
      work.batch = .awaited
    } else if hasBatch, !isRunningBatches {
      isRunningBatches = true
      work.batch = .start
      commitsFollowQuickly =
        DispatchTime.now().uptimeNanoseconds - lastBatchEnd < Self.maximumWait
    }
    for id in waiting(slow: true) where maySlowRunBegin {
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
    for id in waiting(slow: false) {
      duration += entries[id]?.cost ?? 0
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
    isRunningBatches = hasQuickQueries
    commitsFollowQuickly = isRunningBatches
    return isRunningBatches
  }

  /// Whether quick queries are to be run, and do not run.
  private var hasQuickQueries: Bool {
    dirty.contains { id in entries[id]?.mayRun(slow: false) == true }
  }

  /// The quick queries, or the slow ones, that are to be run, and do not run. Whoever waits longest comes
  /// first: under many commits, not all get their turn each time.
  private func waiting(slow: Bool) -> [UInt64] {
    var waiting: [(since: UInt64, id: UInt64)] = []
    for id in dirty {
      guard let entry = entries[id], entry.mayRun(slow: slow) else { continue }
      waiting.append((entry.dirtySince, id))
    }
    return waiting.sorted(by: <).map(\.id)
  }

  private mutating func take(_ id: UInt64) -> ObservedQuery? {
    dirty.remove(id)
    entries[id]?.isRunning = true
    pendingRuns += 1
    return entries[id]?.query
  }
}
