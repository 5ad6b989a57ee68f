internal import CWellspringSQLite
internal import WellspringSystem

/// Finds the changes of each transaction of a writing connection with SQLite's hooks, and announces
/// its commit.
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
  let fileGuard: FileIdentityGuard?

  /// The preupdate hook, which reports the rows.
  @exclusivity(unchecked) var hook = HookState()
  /// The observed tables of this connection.
  @exclusivity(unchecked) var observed = ObservedSchema()
  /// The commit that is under way, and how the last one ended.
  @exclusivity(unchecked) var commitState = CommitState()

  /// The changes of the running transaction.
  @exclusivity(unchecked) var transaction: TransactionChanges
  /// Whether ``transaction`` must be rebuilt instead of reused.
  @exclusivity(unchecked) var mustRebuildTransaction = true
  /// Whether the running transaction is known to have begun with the schema that was read last.
  @exclusivity(unchecked) var isVerified = false

  /// The observers of this connection's transactions.
  let observers = ObserverList()
  @exclusivity(unchecked) var regionObservers: [RegionObserver] = []
  let registrations: WriterRegistrations
  /// The commits that the observers must still be notified of.
  @exclusivity(unchecked) var undeliveredCommits: [CommitNotice] = []
  @exclusivity(unchecked) var isDelivering = false

  /// Records the transactions of the connection, so that they can be repeated elsewhere.
  @exclusivity(unchecked) var recorder: (any ChangeRecorder)?

  /// Counts the rows that need not be examined.
  let rows: RowFilter
  @exclusivity(unchecked) private var isClosed = false

  init(
    database: Database,
    commits: FileCommits,
    fileGuard: FileIdentityGuard?,
    registrations: WriterRegistrations
  ) {
    self.database = database
    fileCommits = commits
    self.fileGuard = fileGuard
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
    if hook.isInstalled { uninstall() }
    leaveFile()
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
      if isObserved, !hook.isInstalled { install() }
      return rows.enter(self)
    }
    if isObserved != hook.isInstalled { isObserved ? install() : uninstall() }
    if hook.isInstalled {
      if writerCommits.schemaMayHaveChanged() { forgetSchema() }
      learnObservedTables()
    }
    beginTransaction()
    rows.enter(self)
  }

  func writeTransactionDidBegin() {
    guard hook.isInstalled else { return }
    // No other connection can commit from here on, so that the schema, once read, stays valid.
    writerCommits.checkUnderWriteLock(database, notifying: listener)
    if writerCommits.schemaMayHaveChanged() {
      forgetSchema()
      learnObservedTables()
      beginTransaction()
    }
    // Changes of the header by other connections are not changes by this transaction.
    if database.authorizer.sawForeignHeaderChange {
      observed.headerNumbers = try? database.headerNumbers()
    }
    isVerified = true
  }

  func accessWillEnd() {
    // Commits of the raw handle end here.
    if database.hooksAwaitReset { statementDidReset(nil) }
    deliverCommits()
    observers.forgetInterests()
    rows.leave()
  }

  func beginTransaction() {
    isVerified = false
    commitState.wasTried = false
    observers.beginTransaction()
    let total = sqlite3_total_changes64(database.sqliteConnection)
    rows.forget()
    _ = rows.takeCount()
    guard mustRebuildTransaction else { return transaction.begin(totalChanges: total) }
    mustRebuildTransaction = false
    transaction = TransactionChanges(
      totalChanges: total,
      isTracked: hook.isInstalled,
      observedTables: observed.tables,
      storedColumns: observed.columns
    )
  }
}

extension Database {
  /// The tracker of a connection that writes; `nil` for a connection that only reads.
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
