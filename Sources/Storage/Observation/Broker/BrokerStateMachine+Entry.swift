extension BrokerStateMachine {
  /// A query, and what is known of its runs.
  struct Entry: Sendable {
    let query: Query
    /// The snapshot of its last run.
    var number = CommitNumber.none
    /// A new query begins with its first run.
    var phase = QueryPhase.running(dueSince: nil)
    /// How many threads are about to deliver the latest value to new subscribers.
    var lateDeliveries = 0
    /// The growth of what is observed when its region was indexed.
    var growth = Growth(0)
    /// How long the last two runs took.
    private var durations: (last: UInt64, before: UInt64)?
    /// The last commits that touched it.
    private(set) var wakeUps: [WakeUp] = []

    init(query: Query) {
      self.query = query
    }

    /// How long a run takes when nothing disturbs it.
    var cost: UInt64 { durations.map { min($0.last, $0.before) } ?? 0 }

    /// Whether it would hold up the other queries of a batch.
    var isSlow: Bool { cost > BrokerLimits.slowQuery }

    /// Whether a run can begin, among the slow queries or among the quick ones.
    func mayRun(slow: Bool) -> Bool {
      guard case .due = phase else { return false }
      return isSlow == slow
    }

    /// Makes the query due because of a commit, unless its last run was in a later snapshot.
    ///
    /// - Returns: Whether it was not due.
    mutating func touch(by number: CommitNumber, _ changes: DatabaseChanges) -> Bool {
      guard self.number < number else { return false }
      if wakeUps.count == BrokerLimits.maximumWakeUps { wakeUps.removeFirst() }
      wakeUps.append(WakeUp(number: number, changes: changes))
      return phase.becomeDue(since: number)
    }

    mutating func noteRun(in number: CommitNumber, duration: UInt64) {
      self.number = number
      durations = (duration, durations?.last ?? duration)
    }
  }

  /// A commit that touched a query.
  struct WakeUp: Sendable {
    let number: CommitNumber
    let changes: DatabaseChanges
  }
}
