internal import WellspringSystem

extension BrokerStateMachine {
  /// A query and its runs.
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
    /// The growth of the observed tables when its region was indexed.
    var growth = ObservationGeneration(0)
    /// How long the last two runs took.
    private var durations: (last: UInt64, before: UInt64)?
    /// How long the last patch took.
    private var patchDuration: UInt64?
    /// The data of each commit that patches of the value need.
    private var patchInputs = PatchInputs.none
    /// The columns and rows that the query reads, by table.
    private var parts: [TableName: DatabaseRegion.Table] = [:]
    /// The rows that each commit since the last run has changed; `nil` where they are not known.
    private var changedRows: [(number: CommitNumber, content: ChangedRows.Content?)] = []
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
      if let patchDuration, !patchInputs.isEmpty,
        changedRows.allSatisfy({ $0.content != nil })
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
      guard !patchInputs.isEmpty else { return nil }
      var content = ChangedRows.Content()
      for change in changedRows where change.number <= number {
        guard let changed = change.content else {
          if Fault.isOn(.patchUnknown) { continue }
          return nil
        }
        guard content.add(changed) else { return nil }
      }
      return ChangedRows(since: self.number, content)
    }

    /// Sets the data of each commit that the next patch needs.
    ///
    /// - Parameters:
    ///   - inputs: The tables and columns.
    ///   - region: The region that the query has read.
    ///   - last: The last commit that was announced. The rows of commits after the run, up to this
    ///     one, are not known.
    func setPatchInputs(
      _ inputs: PatchInputs,
      in region: DatabaseRegion,
      at last: CommitNumber
    ) {
      // Of a query that reads the full database, nothing is known.
      patchInputs = region.tables == nil ? .none : inputs
      parts = inputs.isEmpty ? [:] : region.tables ?? [:]
      changedRows = []
      if !patchInputs.isEmpty, number < last, !Fault.isOn(.patchWhileRunning) {
        changedRows = [(last, nil)]
      }
    }

    private func noteChangedRows(by number: CommitNumber, _ changes: DatabaseChanges) {
      guard !patchInputs.isEmpty else { return }
      guard changedRows.count < BrokerLimits.maximumRecentCommits else {
        return loseChangedRows(by: number)
      }
      changedRows.append((number, content(of: changes)))
    }

    private func content(of changes: DatabaseChanges) -> ChangedRows.Content? {
      guard case .tables(let tables) = changes else { return nil }
      var content = ChangedRows.Content()
      for (table, changes) in tables {
        // Tables that the query does not read do not touch it.
        guard let part = parts[table] else { continue }
        if patchInputs.rows.contains(table) {
          guard let rows = changes.rows(having: part.values) else { return nil }
          content.rows[table] = rows
        } else if patchInputs.values[table] == nil, changes.touches(part),
          !Fault.isOn(.patchOtherTable)
        {
          content.others.insert(table)
        }
        for column in patchInputs.values[table] ?? [] {
          guard let keys = changes.keys(of: column) else { return nil }
          content.values[table, default: [:]][column] = Set(keys)
        }
      }
      return content
    }

    /// Drops the changed rows of a commit, and those of commits before it.
    func loseChangedRows(by number: CommitNumber) {
      guard !patchInputs.isEmpty, self.number < number else { return }
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
    /// Why its changes are unknown, if it is a foreign one.
    let obstacle: PageObstacle?
  }
}

extension DatabaseRegion {
  /// Returns why changes of a table of the region do not touch it; `nil` if they do, or if they are
  /// changes of other tables.
  func reasonToSkip(
    _ changes: CommittedChanges
  ) -> ObservationExplanation.SkippedCommit.Reason? {
    let observed = changes.observed
    guard case .tables(let changed) = observed, let tables, !isTouched(by: observed) else {
      return nil
    }
    for (name, part) in tables {
      guard let change = changed[name] else {
        // Only columns have changed that no query reads.
        if changes.writtenTables.contains(name) { return .columns }
        continue
      }
      if !change.columns.overlaps(part.columns) { return .columns }
      return change.rowIDs.overlaps(part.rowIDs) ? .values : .rows
    }
    return nil
  }
}
