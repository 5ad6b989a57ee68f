internal import Synchronization
internal import WellspringSystem

/// Numbers the commits to one file in this process, and notifies the brokers of all pools that have
/// the file open.
///
/// It guards a ``CommitLedger`` with a lock. Callers read and change the ledger through
/// ``withLedger(_:)``. The other functions also notify listeners: the ledger decides under the
/// lock, and the listeners are notified after it.
final class FileCommits: Sendable {
  private struct State {
    var ledger = CommitLedger()
    var listeners = WeakList<any CommitListener>()
  }

  // Guards the ledger and the list of listeners.
  private let state = Lock(State())
  private let observers = Atomic<Int>(0)
  private let writers = Atomic<Int>(0)
  private let generation = Atomic<UInt64>(1)
  private let growth = Atomic<UInt64>(1)
  private let reader = ForeignCommitReader()

  // MARK: Observers

  /// Whether any pool observes the file.
  var isObserved: Bool { observers.load(ordering: .acquiring) > 0 }

  func addObserver() { observers.add(1, ordering: .acquiringAndReleasing) }
  func removeObserver() {
    let count = observers.subtract(1, ordering: .acquiringAndReleasing).newValue
    if count == 0 { forgetPages() }
  }

  /// How often tables, columns or rows were added to the observed ones.
  var observationGrowth: ObservationGeneration {
    ObservationGeneration(growth.load(ordering: .acquiring))
  }

  /// Notes that further tables, columns or rows are observed, or may be.
  ///
  /// - Returns: The new growth. Connections that read the observed tables from now on see the
  ///   addition.
  func observedTablesDidGrow() -> ObservationGeneration {
    let number = growth.add(1, ordering: .acquiringAndReleasing).newValue
    generation.add(1, ordering: .acquiringAndReleasing)
    return ObservationGeneration(number)
  }

  /// Notes that tables, columns or rows are no longer observed. Until writers notice, they track
  /// more than is needed.
  func observedTablesDidShrink() { generation.add(1, ordering: .acquiringAndReleasing) }

  /// Returns the tables that all listeners observe; `nil` if they have not changed since the
  /// generation `known`.
  func observedTables(
    after known: UInt64
  ) -> (generation: UInt64, growth: ObservationGeneration, tables: ObservedTables)? {
    // Read first: a change during this call gives another generation, so that the next call returns
    // it.
    let current = generation.load(ordering: .acquiring)
    let growth = observationGrowth
    return current == known ? nil : (current, growth, observedTables)
  }

  /// The tables that all listeners observe.
  private var observedTables: ObservedTables {
    state.withLock { $0.listeners }.entries.reduce(into: ObservedTables()) { tables, entry in
      if let listener = entry.object { tables.formUnion(listener.observedTables) }
    }
  }

  /// Adds a listener, which is notified of commits for as long as it lives.
  func add(_ listener: any CommitListener) {
    let listeners = state.withLock { state in
      state.listeners.append { [weak listener] in listener }
      return state.listeners
    }
    let dead = listeners.dead
    if !dead.isEmpty { state.withLock { $0.listeners.remove(dead) } }
  }

  /// Whether several pools of this process have the file open.
  var isSharedByPools: Bool {
    state.withLock { $0.listeners }.entries.count { $0.object != nil } > 1
  }

  // MARK: Commits of this process

  /// A connection that writes the file has been opened.
  func writerDidOpen() { writers.add(1, ordering: .acquiringAndReleasing) }

  /// A connection that writes the file is about to be closed.
  func writerWillClose() {
    // The last connection to a file deletes the index when it closes.
    if writers.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { forgetIndex() }
  }

  /// Reads or changes the ledger under the lock.
  func withLedger<Result>(_ body: (inout CommitLedger) -> Result) -> Result {
    state.withLock { body(&$0.ledger) }
  }

  /// A commit that began has failed.
  func commitDidFail(writer: ObjectIdentifier?) {
    let wasMistaken = withLedger { $0.fail(writer: writer) }
    if wasMistaken { foreignCommitsWereFound() }
  }

  /// A commit that began has succeeded: it gets a number, and the listeners are notified.
  ///
  /// - Parameters:
  ///   - changes: Its changes.
  ///   - index: The WAL's index after the commit, which may count further commits.
  ///   - hasWritten: Whether the commit has written the WAL.
  ///   - writer: The writer with which the commit began.
  /// - Returns: Its number, and its ending in the ledger.
  func commitDidEnd(
    _ changes: CommittedChanges,
    index: WALIndex?,
    hasWritten: Bool,
    writer: ObjectIdentifier?
  ) -> CommitLedger.Ending {
    let mayChangeSchema = if case .everything = changes.observed { true } else { false }
    let (ending, listeners) = state.withLock { state in
      let ending = state.ledger.end(
        index,
        hasWritten: hasWritten,
        writer: writer,
        mayChangeSchema: mayChangeSchema
      )
      return (ending, state.listeners)
    }
    for entry in listeners.entries { entry.object?.didCommit(number: ending.number, changes) }
    if ending.wasMistaken { foreignCommitsWereFound() }
    return ending
  }

  /// Gives a number to a change that no commit made, and notifies the listeners.
  func announce(_ changes: CommittedChanges) -> CommitNumber {
    let (number, listeners) = state.withLock { ($0.ledger.numberChange(), $0.listeners) }
    for entry in listeners.entries { entry.object?.didCommit(number: number, changes) }
    return number
  }

  // MARK: The WAL's index

  /// Makes the index of the WAL the known one, in a transaction that has the write lock, and
  /// notifies the listeners of the foreign commits that it counts.
  func takeIndex(_ db: Database) {
    guard let index = WALIndex.read(db.sqliteConnection) else { return }
    let (known, isForeign) = withLedger { ledger in
      let known = ledger.knownIndex
      let isForeign = ledger.take(index)
      if isForeign { ledger.beginReading() }
      return (known, isForeign)
    }
    if isForeign { readForeignCommits(db, after: known, upTo: index) }
  }

  /// Drops the index, because it can no longer be read.
  func forgetIndex() {
    withLedger { $0.forgetIndex() }
    forgetPages()
  }

  // MARK: Foreign commits

  /// Checks whether the WAL's index counts foreign commits, and notifies the listeners if it does.
  ///
  /// - Parameter db: A connection, during an access to it and outside of a transaction.
  /// - Returns: `nil` when the index cannot be read.
  func checkIndex(_ db: Database) -> ForeignCommitFinding? {
    for _ in 0..<3 {
      let before = withLedger { $0.position }
      guard before.pendingCount == 0 else { return .unsettled }
      guard let index = WALIndex.read(db.sqliteConnection) else { return nil }
      let (known, finding) = withLedger { ledger in
        let known = ledger.knownIndex
        let finding = ledger.look(at: index, since: before)
        if case .foreign = finding { ledger.beginReading() }
        return (known, finding)
      }
      switch finding {
      case .overtaken: continue
      case .known:
        let isSettled = LogFiles(db.sqliteConnection)?.mayHaveFrame(after: index) == false
        return isSettled ? .settled : ForeignCommitFinding.none
      case .foreign:
        readForeignCommits(db, after: known, upTo: index)
        return .some
      }
    }
    return .unsettled
  }

  /// Finds the changes of foreign commits, and notifies the listeners. Until then, the ledger
  /// counts the commits as under way.
  private func readForeignCommits(
    _ db: Database,
    after known: WALIndex?,
    upTo index: WALIndex
  ) {
    announceForeign(changes(db, after: known, upTo: index))
  }

  /// Finds the changes of foreign commits: see ``ForeignCommitReader``.
  func changes(
    _ db: Database,
    after known: WALIndex?,
    upTo index: WALIndex,
    isContinuous: Bool = true
  ) -> CommittedChanges {
    // Read first: tables that are observed during this call are newer.
    let growth = observationGrowth
    let observed = observedTables
    return reader.changes(
      db,
      after: known,
      upTo: index,
      of: observed,
      growth,
      isContinuous: isContinuous
    )
  }

  /// Drops the known pages of observed tables.
  func forgetPages() { reader.forgetPages() }

  /// How many bytes are held to know which pages belong to observed tables.
  var pageMemory: Int { reader.memory }

  /// Gives a number to foreign commits that may have changed anything, or to changes that must
  /// count as such, and notifies all listeners.
  @discardableResult
  func foreignCommitsWereFound() -> CommitNumber {
    withLedger { $0.beginReading() }
    return announceForeign(.foreign(.unread))
  }

  /// Gives a number to foreign commits that have been read, and notifies all listeners. Until the
  /// listeners are notified, the commits count as under way: a listener that waits for the commits
  /// so far must not treat a number as known before it is notified of that number.
  @discardableResult
  private func announceForeign(_ changes: CommittedChanges) -> CommitNumber {
    let (number, listeners) = state.withLock { state in
      (state.ledger.numberForeignCommits(), state.listeners)
    }
    for entry in listeners.entries { entry.object?.didCommit(number: number, changes) }
    withLedger { $0.endReading() }
    return number
  }

  /// Gives a number to foreign commits that only the connection of one listener can see, and
  /// notifies that listener of their changes.
  ///
  /// - Parameters:
  ///   - changes: Their changes.
  ///   - listener: The listener.
  ///   - didNumber: Called when they have a number, before the listener is notified.
  func foreignCommitsWereFound(
    _ changes: CommittedChanges,
    by listener: any CommitListener,
    didNumber: () -> Void = {}
  ) {
    let number = withLedger { $0.numberForeignCommits() }
    didNumber()
    listener.didCommit(number: number, changes)
  }
}
