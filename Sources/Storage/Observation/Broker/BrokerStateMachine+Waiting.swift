/// The waiters for runs and deliveries.
extension BrokerStateMachine {
  /// A waiter, and the queries that it waits for.
  struct Wait: Sendable {
    let waiter: Waiter
    /// The last commit whose runs it waits for.
    let number: CommitNumber
    /// The queries that are not done.
    var pending: Set<QueryID>
  }

  /// Registers a waiter that waits until a query has run for all commits so far. It must be
  /// scheduled then, because it rests no longer.
  ///
  /// - Returns: `false` when there is nothing to wait for.
  mutating func wait(_ waiter: Waiter, for id: QueryID) -> Bool {
    wait(waiter, for: isSettled(id, lastNumber) ? [] : [id])
  }

  /// Registers a waiter that waits until all queries have run for all commits so far, and their
  /// values have been delivered to all subscribers. They must be scheduled then, because they rest
  /// no longer.
  ///
  /// - Returns: `false` when there is nothing to wait for.
  mutating func waitForAll(_ waiter: Waiter) -> Bool {
    wait(waiter, for: Set(entries.keys.filter { !isQuiet($0, lastNumber) }))
  }

  private mutating func wait(_ waiter: Waiter, for pending: Set<QueryID>) -> Bool {
    guard !pending.isEmpty else { return false }
    for id in pending { endRest(of: id) }
    waits.append(Wait(waiter: waiter, number: lastNumber, pending: pending))
    return true
  }

  /// Whether a query has run for the commits up to a number.
  func isSettled(_ id: QueryID, _ number: CommitNumber) -> Bool {
    guard let entry = entries[id] else { return true }
    return !entry.phase.isRunning && entry.phase.dueSince.map { $0 > number } ?? true
  }

  /// Whether a query has run for the commits up to a number, and its value has been delivered to
  /// all subscribers.
  private func isQuiet(_ id: QueryID, _ number: CommitNumber) -> Bool {
    isSettled(id, number) && entries[id].map { $0.lateDeliveries == 0 } ?? true
  }

  /// Removes and returns the waiters that have nothing left to wait for, after some queries have
  /// changed.
  mutating func takeWaiters(after ids: some Sequence<QueryID>) -> [Waiter] {
    guard !waits.isEmpty else { return [] }
    for index in waits.indices {
      for id in ids where isQuiet(id, waits[index].number) { waits[index].pending.remove(id) }
    }
    defer { waits.removeAll { $0.pending.isEmpty } }
    return waits.filter(\.pending.isEmpty).map(\.waiter)
  }

  // MARK: Ends of deliveries

  /// The steps of the caller after it has delivered the values of runs.
  struct Aftermath: Sendable {
    /// Deliver the latest value of each query, which includes the commit with the number, to
    /// subscribers that came during the run. Then call ``lateDeliveriesDidEnd(of:)``.
    var lateDeliveries: [(query: Query, number: CommitNumber)] = []
    /// Call ``restDidEnd(of:at:now:)`` for each query at its time.
    var rests: [(id: QueryID, end: UInt64)] = []
    /// Start this work.
    let work: Work
    /// Resume these waiters.
    let waiters: [Waiter]
  }

  /// The values of runs have been delivered: each query may run again.
  ///
  /// - Parameters:
  ///   - batch: The queries.
  ///   - number: Their snapshot.
  ///   - kind: Which thread ran them.
  ///   - now: The time.
  ///   - rest: The time in which the subscribers of a query want no further value; `nil` if one of
  ///     them wants each value.
  ///   - hasNewSubscribers: Whether subscribers may have come to a query since its value was
  ///     delivered.
  /// - Returns: The next steps of the caller.
  mutating func deliveriesDidEnd(
    of batch: [Query],
    in number: CommitNumber,
    as kind: RunKind,
    now: @autoclosure () -> UInt64,
    rest: (Query) -> UInt64? = { _ in nil },
    hasNewSubscribers: (Query) -> Bool
  ) -> Aftermath {
    var late: [(query: Query, number: CommitNumber)] = []
    var rests: [(id: QueryID, end: UInt64)] = []
    for query in batch {
      let entry = entries[query.id]
      entry?.phase.endRun()
      if let rest = rest(query), let entry,
        !waits.contains(where: { $0.pending.contains(query.id) })
      {
        let end = now() &+ rest
        entry.restsUntil = end
        due.remove(query.id)
        rests.append((query.id, end))
      }
      guard hasNewSubscribers(query) else { continue }
      // The last commit that the latest value includes, as far as is known.
      late.append((query, isSettled(query.id, lastNumber) ? lastNumber : number))
      entry?.lateDeliveries += 1
    }
    switch kind {
    case .batch: break
    case .slow: slowRuns -= 1
    case .first: firstRuns -= 1
    }
    let waiters = takeWaiters(after: batch.lazy.map { $0.id })
    return Aftermath(
      lateDeliveries: late,
      rests: rests,
      work: schedule(now: now()),
      waiters: waiters
    )
  }

  /// New subscribers have received the latest value of queries.
  ///
  /// - Returns: The waiters to resume.
  mutating func lateDeliveriesDidEnd(of queries: some Sequence<Query>) -> [Waiter] {
    for query in queries { entries[query.id]?.lateDeliveries -= 1 }
    return takeWaiters(after: queries.lazy.map { $0.id })
  }

  // MARK: Rests

  /// A query's rest has ended, unless it rests for another reason by now.
  mutating func restDidEnd(of id: QueryID, at end: UInt64, now: @autoclosure () -> UInt64) -> Work {
    entries[id]?.restsUntil == end ? endRest(of: id, now: now()) : Work()
  }

  /// A subscriber that wants each value has come to a query.
  mutating func endRest(of id: QueryID, now: @autoclosure () -> UInt64) -> Work {
    endRest(of: id) ? schedule(now: now()) : Work()
  }

  /// - Returns: Whether the query is due.
  @discardableResult
  mutating func endRest(of id: QueryID) -> Bool {
    guard let entry = entries[id], entry.restsUntil != nil else { return false }
    entry.restsUntil = nil
    guard entry.phase.dueSince != nil else { return false }
    due.insert(id)
    return true
  }
}
