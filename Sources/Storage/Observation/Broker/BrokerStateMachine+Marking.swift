internal import WellspringSystem

/// Which queries must be run again.
extension BrokerStateMachine {
  /// Makes the queries due that a commit touches.
  ///
  /// - Parameters:
  ///   - number: The number of the commit.
  ///   - changes: Its changes.
  ///   - growth: The present growth of the observed tables.
  ///   - now: The time.
  /// - Returns: The work that the caller must start.
  mutating func commitDidEnd(
    _ number: CommitNumber,
    _ changes: CommittedChanges,
    growth: ObservationGeneration,
    now: @autoclosure () -> UInt64
  ) -> Work {
    lastNumber = max(lastNumber, number)
    announced.insert(number)
    guard !isEmpty else { return Work() }
    counts.commits += 1
    if changes.isForeign { counts.foreignCommits += 1 }
    if let obstacle = changes.obstacle {
      counts.unreadForeignCommits[obstacle.description, default: 0] += 1
    }
    if lastCommits.count == BrokerLimits.maximumLastCommits { lastCommits.removeFirst() }
    lastCommits.append((number, changes))
    if unindexedRuns > 0 {
      recentCommits.append((number, changes))
      if recentCommits.count > BrokerLimits.maximumRecentCommits {
        recentCommits = [(number, .everything)]
      }
    }
    // Queries that were due before will run as soon as they can.
    return touch(by: number, changes, growth) ? schedule(now: now()) : Work()
  }

  /// - Returns: Whether a query is due that was not, or is slow that was not.
  private mutating func touch(
    by number: CommitNumber,
    _ changes: CommittedChanges,
    _ growth: ObservationGeneration
  ) -> Bool {
    var mustSchedule = false
    for id in index.observations(touchedBy: changes.observed)
    where touch(id, by: number, changes.observed, changes.obstacle) { mustSchedule = true }
    if changes.isForeign, !inexact.isEmpty, !Fault.isOn(.patchInexact) {
      for id in inexact where touch(id, by: number, .everything, changes.obstacle) {
        mustSchedule = true
      }
    }
    let known = changes.growth
    guard known < growth, case .tables = changes.observed else { return mustSchedule }
    // The transaction did not track tables and rows that were first observed after it began.
    let touched = changes.touched
    for id in index.observations(touchedBy: touched) {
      guard let entry = entries[id], entry.growth > known else { continue }
      let wasSlow = entry.isSlow
      if !Fault.isOn(.patchGrowth) { entry.loseChangedRows(by: number) }
      if entry.isSlow != wasSlow, !Fault.isOn(.patchSlow) { mustSchedule = true }
      if !due.contains(id), touch(id, by: number, touched) { mustSchedule = true }
    }
    return mustSchedule
  }

  /// - Returns: Whether the query is due and was not, or is slow and was not. The runner that it
  ///   waited for as a quick query does not take slow ones.
  private mutating func touch(
    _ id: QueryID,
    by number: CommitNumber,
    _ changes: DatabaseChanges,
    _ obstacle: PageObstacle? = nil
  ) -> Bool {
    guard let entry = entries[id] else { return false }
    let wasSlow = entry.isSlow
    guard entry.touch(by: number, changes, obstacle) else {
      return entry.isSlow != wasSlow && !Fault.isOn(.patchSlow)
    }
    // It becomes due when its rest ends.
    guard entry.restsUntil == nil else { return false }
    due.insert(id)
    return true
  }

  /// Makes a query due though nothing has changed.
  private mutating func makeDue(_ id: QueryID) {
    endRest(of: id)
    if entries[id]?.phase.becomeDue(since: lastNumber) == true { due.insert(id) }
  }

  /// Runs a query again, though nothing has changed.
  mutating func refetch(_ id: QueryID, now: @autoclosure () -> UInt64) -> Work {
    makeDue(id)
    return schedule(now: now())
  }

  // MARK: Ends of runs

  /// How runs have changed the observed tables and rows.
  struct RegionChanges: Sendable {
    /// The queries that have read something other than before.
    var queries: [QueryID] = []
    /// Whether one of them has read data that was not observed before, or may have.
    var hasGrown = false
  }

  /// Processes runs that have ended: counts them, indexes the regions of the queries, and makes a
  /// query due again when a commit after its snapshot touches its region.
  ///
  /// - Parameters:
  ///   - batch: The queries.
  ///   - deliveries: How each has accepted its run.
  ///   - number: Their snapshot.
  ///   - now: The time.
  /// - Returns: How that has changed the observed tables and rows. Before anything else, the caller
  ///   must pass the resulting growth to ``setGrowth(_:of:)``.
  mutating func runsDidEnd(
    of batch: [Query],
    _ deliveries: [Delivery],
    in number: CommitNumber,
    now: @autoclosure () -> UInt64
  ) -> RegionChanges {
    var changes = RegionChanges()
    for (query, delivery) in zip(batch, deliveries) {
      let run = delivery.run
      count(delivery)
      // The query may have been removed during its run.
      guard let entry = entries[query.id] else { continue }
      if entry.hasRun {
        counts.runTime += .nanoseconds(run.duration)
        pace.noteRun(duration: run.duration, endingAt: now())
      }
      entry.noteRun(in: number, duration: run.duration, wasPatched: run.isPatch)
      entry.patchMemory = delivery.patchMemory
      noteExactness(run.isExact, of: query.id, in: number)
      if delivery.hasFailed {
        retries[query.id] = QueryRetry(after: retries[query.id], at: now())
      } else if !retries.isEmpty {
        retries[query.id] = nil
      }
      setRegion(run.region, run.inputs, of: entry, in: number, &changes)
    }
    forgetRuns(batch.count)
    return changes
  }

  /// Notes whether the snapshot of a run may have contained foreign commits that were not announced
  /// by then.
  private mutating func noteExactness(_ isExact: Bool, of id: QueryID, in number: CommitNumber) {
    guard !isExact else {
      if !inexact.isEmpty { inexact.remove(id) }
      return
    }
    inexact.insert(id)
    // They may have been announced since.
    let announced = recentCommits.first { commit in
      guard commit.number > number else { return false }
      if case .everything = commit.changes.observed { return true }
      return commit.changes.isForeign
    }
    if let announced, !Fault.isOn(.patchInexact) {
      _ = touch(id, by: announced.number, .everything, announced.changes.obstacle)
    }
  }

  private mutating func count(_ delivery: Delivery) {
    if delivery.run.isPatch { counts.patches += 1 } else { counts.refetches += 1 }
    if delivery.mustDeliver {
      counts.deliveries += 1
    } else if !delivery.hasFailed {
      counts.suppressed += 1
    }
  }

  private mutating func setRegion(
    _ region: DatabaseRegion?,
    _ inputs: PatchInputs,
    of entry: Entry,
    in number: CommitNumber,
    _ changes: inout RegionChanges
  ) {
    let id = entry.query.id
    let known = index.region(of: id)
    // A query that could not be run may depend on anything.
    guard let region = region ?? (known == nil ? .fullDatabase : nil) else { return }
    // Commits after the snapshot have already touched the query.
    if known == region, index.patchInputs(of: id) == inputs { return }
    changes.queries.append(id)
    if index.set(region, of: id, patchInputs: inputs) { changes.hasGrown = true }
    entry.setPatchInputs(inputs, in: region, at: lastNumber)
    // Earlier transactions did not track the new region of the query.
    let missed =
      Fault.isOn(.gap)
      ? nil
      : recentCommits.first { commit in
        commit.number > number && region.isTouched(by: commit.changes.touched)
      }
    if let missed { _ = touch(id, by: missed.number, missed.changes.touched) }
  }

  /// Sets the growth at which the regions of queries were indexed.
  mutating func setGrowth(_ growth: ObservationGeneration, of ids: [QueryID]) {
    for id in ids { entries[id]?.growth = growth }
  }

  /// Notes that runs no longer need the recent commits: their regions are indexed, or their queries
  /// were removed.
  mutating func forgetRuns(_ count: Int) {
    unindexedRuns -= count
    if unindexedRuns == 0 { recentCommits.removeAll() }
  }

  // MARK: Retries

  /// Makes the queries due that failed and whose time has come.
  mutating func retryFailed(at now: UInt64) -> Work {
    guard !retries.isEmpty else { return Work() }
    for (id, retry) in retries where retry.time <= now { makeDue(id) }
    return schedule(now: now)
  }

  /// Plans when queries that failed are tried again.
  ///
  /// - Parameter now: The time. Queries whose time has come by then are being run.
  /// - Returns: When to call ``plannedRetryDidFire(_:)``; `nil` when there is nothing to retry, or
  ///   a timer is set already.
  mutating func planRetry(after now: UInt64) -> UInt64? {
    guard let next = retries.values.lazy.map(\.time).filter({ $0 > now }).min(),
      plannedRetry.map({ next < $0 }) ?? true
    else { return nil }
    plannedRetry = next
    return next
  }

  /// The timer for a time has fired.
  mutating func plannedRetryDidFire(_ time: UInt64) {
    if plannedRetry == time { plannedRetry = nil }
  }
}
