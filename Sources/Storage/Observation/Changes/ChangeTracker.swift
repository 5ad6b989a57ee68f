internal import CWellspringSQLite
internal import WellspringSystem

/// Finds out what each transaction of a writing connection changes, by SQLite's hooks, and
/// announces its commit.
///
/// It belongs to the connection: only the access that holds the connection uses it, so that it
/// needs no lock.
final class ChangeTracker: ConnectionHooks {
  // The database owns the tracker, and outlives its use.
  unowned(unsafe) let database: Database
  let fileCommits: FileCommits

  /// Numbers the commits of this connection, and finds foreign ones.
  let writerCommits: WriterCommits

  /// The broker of the connection's own pool; set before the first access.
  weak var listener: (any CommitListener)?

  /// Where the file must be; `nil` for a database without a file.
  let place: FileIdentityGuard?

  /// The phase of the commit that is under way. No other property holds this state.
  @exclusivity(unchecked) var commitPhase = CommitPhase<WriterCommits.PendingCommit>.idle

  /// Whether the commit hook has fired in the running transaction.
  @exclusivity(unchecked) var commitWasTried = false

  /// Whether the commit hook has refused a commit because the file was moved.
  @exclusivity(unchecked) var isRefusedByPlace = false

  /// Whether the last commit may not be in the file.
  @exclusivity(unchecked) var wasCommitLost = false

  /// Whether the preupdate hook is installed.
  @exclusivity(unchecked) var isInstalled = false
  /// Whether something is observed although SQLite has no preupdate hook.
  @exclusivity(unchecked) var lacksHook = false
  @exclusivity(unchecked) var transaction: TransactionChanges
  /// Whether ``transaction`` must be rebuilt instead of reused.
  @exclusivity(unchecked) var mustRebuildTransaction = true
  /// Whether the running transaction is known to have begun with the schema that was read last.
  @exclusivity(unchecked) var isVerified = false
  /// The numbers in the header of the file after the last commit, once they are needed.
  @exclusivity(unchecked) var headerNumbers: [Int64]?

  /// What is observed on this connection, as of ``generation``.
  @exclusivity(unchecked) var observedTables = ObservedTables()
  /// The observed sequence tables of `AUTOINCREMENT`, which change without a hook event.
  @exclusivity(unchecked) var observedSequences: [TableName] = []
  /// What the observations of all pools read, without the region observers of this connection.
  @exclusivity(unchecked) var sharedTables = ObservedTables()
  @exclusivity(unchecked) var generation: UInt64 = 0
  @exclusivity(unchecked) var growth = ObservationGeneration(0)
  /// The columns of the observed tables, as of the last look at the schema.
  @exclusivity(unchecked) var storedColumns: [TableName: StoredColumns] = [:]
  @exclusivity(unchecked) var mustLearnColumns = true

  /// The observers of this connection's transactions.
  let observers = ObserverList()
  @exclusivity(unchecked) var regionObservers: [RegionObserver] = []
  let registrations: WriterRegistrations
  /// The commits that the observers must still be notified of.
  @exclusivity(unchecked) var undeliveredCommits: [CommitNotice] = []
  @exclusivity(unchecked) var isDelivering = false

  /// How many changesets are being recorded. While there are any, their sessions own the preupdate
  /// hook.
  @exclusivity(unchecked) var recordings = 0
  /// The witnesses that report changes while sessions own the hook: one for each database of the
  /// connection.
  @exclusivity(unchecked) var witnesses: [SessionWitness] = []

  /// Records the transactions of the connection, so that they can be repeated elsewhere.
  @exclusivity(unchecked) var recorder: (any ChangeRecorder)?
  /// Whether the observers have agreed to the commit before the commit hook fires.
  @exclusivity(unchecked) var observersHaveAgreed = false

  /// Counts the rows that need not be examined.
  let rows: RowFilter
  @exclusivity(unchecked) private var isClosed = false

  init(
    database: Database,
    commits: FileCommits,
    place: FileIdentityGuard?,
    registrations: WriterRegistrations
  ) {
    self.database = database
    fileCommits = commits
    self.place = place
    self.registrations = registrations
    writerCommits = WriterCommits(commits: commits)
    commits.writerDidOpen()
    rows = RowFilter(connection: database.sqliteConnection)
    transaction = TransactionChanges(
      totalChanges: 0,
      isTracked: false,
      observedTables: ObservedTables(),
      storedColumns: [:]
    )
    installCommitHooks()
  }

  func connectionWillClose() {
    take(registrations.close())
    for observer in regionObservers { observer.close() }
    regionObservers = []
    if isInstalled { uninstall() }
    leavePlace()
    // Closing is tried again after a failure, such as when a statement is still held.
    guard !isClosed else { return }
    isClosed = true
    recorder = nil
    fileCommits.writerWillClose()
  }

  // MARK: Accesses and transactions

  func accessDidBegin() {
    takeRegistrations()
    let isObserved =
      fileCommits.isObserved || observers.wantsEvents || !regionObservers.isEmpty
      || recorder != nil
    if sqlite3_get_autocommit(database.sqliteConnection) == 0 {
      // A transaction that an earlier access began is still open. If nothing was observed then, its
      // changes so far are unknown, and count as everything.
      if isObserved, !isInstalled { install() }
      return rows.enter(self)
    }
    if isObserved != isInstalled { isObserved ? install() : uninstall() }
    if isInstalled {
      if writerCommits.schemaMayHaveChanged() { forgetSchema() }
      learnObservedTables()
    }
    beginTransaction()
    rows.enter(self)
  }

  func writeTransactionDidBegin() {
    guard isInstalled else { return }
    // No other connection can commit from here on, so that the schema, once read, stays valid.
    writerCommits.checkUnderWriteLock(database, notifying: listener)
    if writerCommits.schemaMayHaveChanged() {
      forgetSchema()
      learnObservedTables()
      beginTransaction()
    }
    // What other connections have written to the header is not a change by this transaction.
    if database.authorizer.sawForeignHeaderChange { headerNumbers = try? database.headerNumbers() }
    isVerified = true
  }

  func accessWillEnd() {
    // Commits of the raw handle end here.
    if database.hooksAwaitReset { statementDidReset(undone: false) }
    deliverCommits()
    observers.forgetInterests()
    rows.leave()
  }

  func beginTransaction() {
    isVerified = false
    commitWasTried = false
    let total = sqlite3_total_changes64(database.sqliteConnection)
    rows.forget()
    _ = rows.takeCount()
    guard mustRebuildTransaction else { return transaction.begin(totalChanges: total) }
    mustRebuildTransaction = false
    transaction = TransactionChanges(
      totalChanges: total,
      isTracked: isInstalled,
      observedTables: observedTables,
      storedColumns: storedColumns
    )
  }
}

extension Database {
  /// The tracker of a connection that writes; `nil` for one that only reads.
  ///
  /// The connection itself knows its hooks only.
  var installedTracker: ChangeTracker? { hooks as? ChangeTracker }

  /// The tracker of a connection that writes.
  ///
  /// - Precondition: The connection can write.
  var changeTracker: ChangeTracker {
    guard let tracker = installedTracker else {
      preconditionFailure("Only a connection that writes can be observed: use write, not read.")
    }
    return tracker
  }
}
