internal import Dispatch

/// Which queries must be run again.
extension ObservationBroker.State {
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
    failed[id] = outcome.hasFailed ? ObservationBroker.Retry(after: failed[id], at: .now()) : nil
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
}
