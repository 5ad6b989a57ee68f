internal import WellspringPlatform

extension BrokerStateMachine {
  /// A query, and what is known of its runs.
  ///
  /// It is an object, because it is looked at some thirty times for each run, and copying it costs
  /// more than a small query. Only its state machine refers to it.
  final class Entry {
    let query: Query
    /// The snapshot of its last run.
    var number = CommitNumber.none
    /// The snapshot of its first run.
    private(set) var firstNumber = CommitNumber.none
    /// A new query begins with its first run.
    var phase = QueryPhase.running(dueSince: nil)
    /// When the query may run again, because its subscribers want no value before; `nil` if it may
    /// run now.
    var restsUntil: UInt64?
    /// How many threads are about to deliver the latest value to new subscribers.
    var lateDeliveries = 0
    /// The growth of what is observed when its region was indexed.
    var growth = Growth(0)
    /// How long the last two runs took.
    private var durations: (last: UInt64, before: UInt64)?
    /// How long the last patch took.
    private var patchDuration: UInt64?
    /// The tables by whose changed rows the value is patched, and the values that rows of each have
    /// in the result.
    private var patchedTables: [TableName: Extent<SoughtValues>] = [:]
    /// The rows of those tables that commits since the last run have changed; `nil` where they are
    /// not known.
    private var changedRows: [(number: CommitNumber, tables: [TableName: RowIdentities]?)] = []
    /// The bytes that are held so that the value can be patched.
    var patchMemory = 0
    /// The last commits that touched it.
    private(set) var wakeUps: [WakeUp] = []

    init(query: Query) {
      self.query = query
    }

    /// Whether it has run at least once.
    var hasRun: Bool { durations != nil }

    /// How long a run takes when nothing disturbs it.
    var cost: UInt64 {
      if let patchDuration, !patchedTables.isEmpty,
        changedRows.allSatisfy({ $0.tables != nil })
      {
        return patchDuration
      }
      return durations.map { min($0.last, $0.before) } ?? 0
    }

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
    func touch(
      by number: CommitNumber,
      _ changes: DatabaseChanges,
      _ obstacle: PageObstacle? = nil
    ) -> Bool {
      guard self.number < number else { return false }
      if Fault.isOn(.whileRunning), phase.isRunning { return false }
      if wakeUps.count == BrokerLimits.maximumWakeUps { wakeUps.removeFirst() }
      wakeUps.append(WakeUp(number: number, changes: changes, obstacle: obstacle))
      noteChangedRows(by: number, changes)
      return phase.becomeDue(since: number)
    }

    func noteRun(in number: CommitNumber, duration: UInt64, wasPatched: Bool) {
      if !hasRun { firstNumber = number }
      self.number = number
      changedRows.removeAll { $0.number <= number }
      if wasPatched {
        patchDuration = duration
      } else {
        durations = (duration, durations?.last ?? duration)
      }
    }

    // MARK: Changed rows

    /// Returns the rows that have changed since the last run; `nil` if they are not known.
    func changedRows(upTo number: CommitNumber) -> ChangedRows? {
      guard !patchedTables.isEmpty else { return nil }
      var tables: [TableName: RowIdentities] = [:]
      for change in changedRows where change.number <= number {
        guard let changed = change.tables else {
          if Fault.isOn(.patchUnknown) { continue }
          return nil
        }
        for (table, rows) in changed {
          guard let union = tables[table, default: .none].union(rows) else { return nil }
          tables[table] = union
        }
      }
      return ChangedRows(since: self.number, tables)
    }

    /// Sets the tables by whose changed rows the next value may be patched.
    ///
    /// - Parameters:
    ///   - tables: The tables.
    ///   - region: What the query has read.
    ///   - last: The last commit that was announced. Of commits up to it that came after the run,
    ///     the rows are not known.
    func setPatchedTables(
      _ tables: Set<TableName>,
      in region: DatabaseRegion,
      at last: CommitNumber
    ) {
      patchedTables = [:]
      for table in tables { patchedTables[table] = region.tables?[table]?.values ?? .all }
      changedRows = []
      if !tables.isEmpty, number < last, !Fault.isOn(.patchWhileRunning) {
        changedRows = [(last, nil)]
      }
    }

    private func noteChangedRows(by number: CommitNumber, _ changes: DatabaseChanges) {
      guard !patchedTables.isEmpty else { return }
      guard changedRows.count < BrokerLimits.maximumRecentCommits else {
        return loseChangedRows(by: number)
      }
      changedRows.append((number, rowsOfPatchedTables(in: changes)))
    }

    private func rowsOfPatchedTables(in changes: DatabaseChanges) -> [TableName: RowIdentities]? {
      guard case .tables(let tables) = changes else { return nil }
      // Other tables do not touch the query.
      var changed: [TableName: RowIdentities] = [:]
      for (table, values) in patchedTables {
        guard let changes = tables[table] else { continue }
        guard let rows = changes.rows(having: values) else { return nil }
        changed[table] = rows
      }
      return changed
    }

    /// Forgets which rows a commit has changed, and commits before it.
    func loseChangedRows(by number: CommitNumber) {
      guard !patchedTables.isEmpty, self.number < number else { return }
      // A run may be in the snapshot of any of them.
      let first = min(changedRows.first?.number ?? number, number)
      changedRows.removeAll { $0.number <= number }
      changedRows += first < number ? [(first, nil), (number, nil)] : [(number, nil)]
    }
  }

  /// A commit that touched a query.
  struct WakeUp: Sendable {
    let number: CommitNumber
    let changes: DatabaseChanges
    /// Why it is not known what it has changed, if it is a foreign one.
    let obstacle: PageObstacle?
  }
}
