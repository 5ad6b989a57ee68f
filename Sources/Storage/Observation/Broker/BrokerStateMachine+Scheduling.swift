internal import WellspringSystem

/// Which thread runs a query.
enum RunKind: Sendable {
  /// A runner of batches, or the thread that starts the query and waits.
  case batch
  /// A runner for this query alone.
  case slow
  /// A reader's thread, for the query's first run.
  case first
}

/// The thread that runs batches of quick queries.
struct BatchRunner: Sendable {
  enum Phase: Sendable {
    /// No thread takes batches.
    ///
    /// Exits: `running`, when a quick query is due; `awaitingCommit`, when a thread that took the
    /// last batch decides to wait.
    case idle
    /// A thread takes batches.
    ///
    /// Exit: `idle`, when there are no more.
    case running
    /// A thread busy-waits for the next commit.
    ///
    /// Exits: `running` when a quick query is due at the end of the wait, `idle` otherwise.
    case awaitingCommit
  }

  var phase = Phase.idle
  /// When a thread last ran out of work.
  var lastEnd: UInt64 = 0
  /// Whether the last commit came so soon after that time that busy-waiting would have paid off.
  var commitsFollowQuickly = false
}

/// The choice of the queries that run next.
extension BrokerStateMachine {
  /// The work that the caller must start after unlocking.
  struct Work: Sendable {
    enum Batch: Sendable {
      /// No quick query is due, or a runner is taking batches already.
      case none
      /// A runner must take batches until no query is due.
      case start
      /// The runner that busy-waits must be notified.
      case awaited
    }

    var batch = Batch.none
    /// Queries that each run separately.
    var slow: [Query] = []
    /// Queries that each run for the first time.
    var first: [Query] = []
    /// Call ``pauseDidEnd(now:)`` at this time.
    var pauseEnd: UInt64?
    /// Queries that ended before their first run. The caller releases them after unlocking, because
    /// the objects that they hold may have a `deinit`.
    var released: [Query] = []
  }

  /// Decides which of the new and due queries run now.
  mutating func schedule(now: @autoclosure () -> UInt64) -> Work {
    var work = Work()
    guard !isClosed else { return work }
    while let query = takeFirstRun(&work.released) { work.first.append(query) }
    guard !due.isEmpty else { return work }
    work.pauseEnd = planPauseEnd(now: now())
    guard !isPaused(at: now()) else { return work }
    work.batch = scheduleBatch(now: now())
    for id in dueQueries(slow: true) where maySlowRunBegin {
      if let query = take(id) {
        slowRuns += 1
        work.slow.append(query)
      }
    }
    return work
  }

  /// Whether no query may run again now, because the last runs have used up their share of a core.
  /// While a caller waits for a value, there is no pause.
  private func isPaused(at now: @autoclosure () -> UInt64) -> Bool {
    waits.isEmpty && pace.isPaused(at: now())
  }

  /// Returns when to call ``pauseDidEnd(now:)``; `nil` if no query waits for the end of a pause, or
  /// if a timer is set.
  mutating func planPauseEnd(now: @autoclosure () -> UInt64) -> UInt64? {
    !due.isEmpty && isPaused(at: now()) ? pace.planEnd() : nil
  }

  /// The pause after the last runs has ended.
  mutating func pauseDidEnd(now: @autoclosure () -> UInt64) -> Work {
    pace.timerDidFire()
    return schedule(now: now())
  }

  private mutating func scheduleBatch(now: @autoclosure () -> UInt64) -> Work.Batch {
    guard hasQuickQueries else { return .none }
    switch batchRunner.phase {
    case .running: return .none
    case .awaitingCommit: return .awaited
    case .idle:
      batchRunner.phase = .running
      // A caller may have read the clock before the last batch ended: the sum cannot underflow.
      batchRunner.commitsFollowQuickly = now() < batchRunner.lastEnd + BrokerLimits.maximumWait
      return .start
    }
  }

  // One reader is left for the quick queries, and one for other reads.
  private var maySlowRunBegin: Bool {
    slowRuns < max(1, min(maximumReaders - 2, maximumReaders - 1 - firstRuns))
  }

  private mutating func take(_ id: QueryID) -> Query? {
    due.remove(id)
    unindexedRuns += 1
    guard let entry = entries[id] else { return nil }
    entry.phase = .running(dueSince: nil)
    return entry.query
  }

  // MARK: First runs

  /// Adds an admitted query to the line for first runs. A first run begins when it leaves enough
  /// readers to other queries.
  mutating func awaitFirstRun(of query: Query, now: @autoclosure () -> UInt64) -> Work {
    awaitingFirstRun.append(query)
    return schedule(now: now())
  }

  /// Takes the next query from the line for first runs, if its run may begin.
  private mutating func takeFirstRun(_ released: inout [Query]) -> Query? {
    guard firstRuns < max(1, maximumReaders - 1 - slowRuns) else { return nil }
    while let query = awaitingFirstRun.popFirst() {
      guard entries[query.id] != nil else {
        forgetRuns(1)
        released.append(query)
        continue
      }
      firstRuns += 1
      return query
    }
    return nil
  }

  // MARK: Batches

  /// Takes the next batch for the runner. Without one, and during a pause, the runner becomes idle,
  /// and the next batch gets a new runner.
  ///
  /// A pause may begin, or count again, after the runner was started: the caller then asks
  /// ``planPauseEnd(now:)``.
  mutating func takeBatch(now: @autoclosure () -> UInt64) -> [Query]? {
    var batch: [Query] = []
    var duration: UInt64 = 0
    for id in isPaused(at: now()) ? [] : dueQueries(slow: false) {
      duration += entries[id]?.cost ?? 0
      if duration > BrokerLimits.batchDuration, !batch.isEmpty { break }
      if let query = take(id) { batch.append(query) }
    }
    batchRunner.phase = batch.isEmpty ? .idle : .running
    return batch.isEmpty ? nil : batch
  }

  /// Decides whether a runner that has nothing more to do busy-waits for the next commit.
  mutating func beginWaiting(now: UInt64) -> Bool {
    batchRunner.lastEnd = now
    guard case .idle = batchRunner.phase, batchRunner.commitsFollowQuickly, !isClosed else {
      return false
    }
    batchRunner.phase = .awaitingCommit
    return true
  }

  /// Ends the wait.
  ///
  /// - Returns: Whether the runner must take batches.
  mutating func endWaiting() -> Bool {
    batchRunner.commitsFollowQuickly = hasQuickQueries
    batchRunner.phase = batchRunner.commitsFollowQuickly ? .running : .idle
    return batchRunner.commitsFollowQuickly
  }

  /// Whether quick queries are due, and not running.
  private var hasQuickQueries: Bool {
    due.contains { id in entries[id]?.mayRun(slow: false) == true }
  }

  /// The quick queries, or the slow ones, that are due and not running. The query that has waited
  /// longest comes first, because under many commits not every query gets its turn each time.
  private func dueQueries(slow: Bool) -> [QueryID] {
    var waiting: [(since: CommitNumber, id: QueryID)] = []
    for id in due {
      guard let entry = entries[id], case .due(let since) = entry.phase, entry.isSlow == slow else {
        continue
      }
      waiting.append((since, id))
    }
    return waiting.sorted(by: <).map(\.id)
  }
}
