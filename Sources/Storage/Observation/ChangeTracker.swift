internal import CWellspringSQLite
internal import WellspringPlatform

/// Finds out what each transaction of a writing connection changes, by SQLite's hooks, and announces
/// its commit.
///
/// It is used by the access that holds the connection, and by nobody else.
final class ChangeTracker: ConnectionHooks {
  // The database owns the tracker, and outlives its use.
  unowned(unsafe) let database: Database
  let commits: FileCommits

  /// The broker of the pool; set before the first access.
  weak var broker: ObservationBroker?

  /// Notices commits of others.
  let externalCommits: ExternalCommits

  var isInstalled = false
  @exclusivity(unchecked) var transaction: TransactionChanges
  /// Whether the next transaction begins with nothing that is known of the one before.
  var mustForgetTransaction = true
  /// Whether the commit hook has told ``FileCommits`` of a commit that has not ended.
  var isCommitting = false
  /// Whether that is a commit of the raw handle, whose end nobody tells of.
  var isForeignCommit = false
  /// What the header of the file held after the last commit, once it matters.
  var headerNumbers: [Int64]?
  /// What is observed, as of a generation of the observations.
  var observedTables = ObservedTables()
  /// Those that no hook tells of.
  var observedSequences: [TableName] = []
  /// What the observations of all pools observe, without what this connection alone does.
  var sharedTables = ObservedTables()
  var generation: UInt64 = 0
  /// How often what is observed had grown by then.
  var growth: UInt64 = 0
  /// The columns of the observed tables, as of the last look at the schema.
  var storedColumns: [TableName: StoredColumns] = [:]
  var mustLearnColumns = true
  private var isClosed = false
  /// Whether the running transaction is known to have begun with the schema that was learned.
  var isVerified = false
  /// Who follows the transactions of this connection only.
  let observers = ObserverList()
  var regionObservers: [RegionObserver] = []
  let registrations: WriterRegistrations
  /// The commits that the observers have still to be told.
  var untoldCommits: [UntoldCommit] = []
  var isTelling = false
  /// How many changesets are being recorded: the preupdate hook is theirs meanwhile.
  var recordings = 0
  /// What sees the changes meanwhile, in each database of the connection.
  var witnesses: [SessionWitness] = []

  /// What the hook finds out by itself about the rows of this connection.
  let rows: RowFilter

  init(database: Database, commits: FileCommits, registrations: WriterRegistrations) {
    self.database = database
    self.commits = commits
    self.registrations = registrations
    externalCommits = ExternalCommits(commits: commits)
    commits.writerDidOpen()
    rows = RowFilter(connection: database.sqliteConnection)
    transaction = TransactionChanges(
      totalChanges: 0,
      isTracked: false,
      observedTables: ObservedTables(),
      storedColumns: [:]
    )
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_commit_hook(
      database.sqliteConnection,
      { context in
        let tracker = Unmanaged<ChangeTracker>.fromOpaque(context!).takeUnretainedValue()
        // Anything but 0 makes SQLite roll back.
        return tracker.commitHookDidFire() ? 0 : 1
      },
      context
    )
    sqlite3_rollback_hook(
      database.sqliteConnection,
      { Unmanaged<ChangeTracker>.fromOpaque($0!).takeUnretainedValue().didRollBack() },
      context
    )
  }

  /// The connection is about to be closed.
  func connectionWillClose() {
    take(registrations.close())
    for observer in regionObservers { observer.close() }
    regionObservers = []
    if isInstalled { uninstall() }
    // Closing is tried again when someone still holds statements.
    guard !isClosed else { return }
    isClosed = true
    commits.writerWillClose()
  }

  // MARK: ConnectionHooks

  func accessDidBegin() {
    takeRegistrations()
    let isObserved = commits.isObserved || observers.wantsEvents || !regionObservers.isEmpty
    if sqlite3_get_autocommit(database.sqliteConnection) == 0 {
      // A transaction goes on that an access before has begun, with what it has changed so far. If
      // nobody observed then, that is not known, and counts as everything.
      if isObserved, !isInstalled { install() }
      return rows.enter(self)
    }
    if isObserved != isInstalled { isObserved ? install() : uninstall() }
    if isInstalled {
      if externalCommits.schemaMayHaveChanged() { forgetSchema() }
      learnObservedTables()
    }
    beginTransaction()
    rows.enter(self)
  }

  func writeTransactionDidBegin() {
    guard isInstalled else { return }
    // Nobody else can commit from here on, so that what is known of the schema stays true.
    externalCommits.check(database, telling: broker)
    if externalCommits.schemaMayHaveChanged() {
      forgetSchema()
      learnObservedTables()
      beginTransaction()
    }
    // What others have written there since is no change of this transaction.
    if database.authorizer.sawForeignHeaderChange { headerNumbers = try? database.headerNumbers() }
    isVerified = true
  }

  func specialStatementDidRun(_ statement: Statement) {
    let effects = statement.effects
    switch effects.savepoint {
    case .begin(let name):
      transaction.beginSavepoint(name)
      observers.beginSavepoint(name)
    case .release(let name):
      transaction.releaseSavepoint(name)
      observers.releaseSavepoint(name)
    case .rollback(let name):
      transaction.rollBack(toSavepoint: name)
      rows.forget()
      observers.rollBack(toSavepoint: name)
    case nil: break
    }
    if effects.changesSchema { observers.forgetInterests() }
    // Neither is reported by a hook. What the statement has committed by itself is announced when it
    // is reset, which comes after this.
    if effects.changesSchema || effects.writesPragma { transaction.setEverything() }
    if effects.writesPragma, isInstalled { externalCommits.begin(database) }
    if effects.changesSchema { forgetSchema() }
  }

  func statementDidFail() { forgetAddresses() }

  func commitMayHaveEnded() {
    database.commitHookDidFire = false
    guard isCommitting else { return }
    isCommitting = false
    if sqlite3_get_autocommit(database.sqliteConnection) == 0 {
      if isForeignCommit {
        // The raw handle has begun another transaction since.
        announce(.everything)
        tellCommits()
      } else {
        // The commit failed, because of a reader of a file without a WAL, and can be tried again.
        externalCommits.commitDidFail()
      }
      return
    }
    announce(takeChanges())
    tellCommits()
  }

  func walCommitDidEnd() {
    externalCommits.walCommitDidEnd()
    // The end of one of the raw handle is told by nothing else.
    guard isCommitting, isForeignCommit, database.commitHookDidFire, !database.mayBeCommitting
    else { return }
    isCommitting = false
    database.commitHookDidFire = false
    // The observers of transactions are told when the connection can be used again.
    announce(takeChanges())
  }

  /// What the commit has changed that has just ended.
  private func takeChanges() -> CommittedChanges {
    let changes = finishedChanges()
    if isInstalled, case .everything = changes.observed { externalCommits.adoptSchema(database) }
    beginTransaction()
    return changes
  }

  func statementDidEnd(undone: Bool) {
    database.hasObserverNews = false
    observers.statementDidEnd(undone: undone)
    observers.tellRollback(database)
  }

  func takeVeto() -> (any Error)? { observers.takeVeto() ?? placeError }

  /// Why nothing can be committed to the file.
  private var placeError: DatabaseError? { broker?.snapshots.place?.error }

  func contentWasReplaced() {
    forgetSchema()
    if isInstalled { externalCommits.begin(database) }
    beginTransaction()
    // As if someone else had written it: no commit hook has fired.
    let number = commits.didChangeExternally()
    tell(of: .everything, number: number, isTransaction: false)
  }

  func accessWillEnd() {
    // Commits of the raw handle end here.
    if database.commitHookDidFire { commitMayHaveEnded() }
    if database.hasObserverNews { statementDidEnd(undone: false) }
    tellCommits()
    observers.forgetInterests()
    rows.leave()
  }

  // MARK: What SQLite tells

  /// - Returns: Whether the commit may go on.
  func commitHookDidFire() -> Bool {
    guard placeError == nil, observers.isEmpty || observers.mayCommit() else { return false }
    database.commitHookDidFire = true
    // A failed commit that is tried again is the same one.
    guard !isCommitting else { return true }
    isCommitting = true
    isForeignCommit = !database.mayBeCommitting
    externalCommits.commitDidBegin(database)
    return true
  }

  func didRollBack() {
    if isCommitting {
      isCommitting = false
      if isForeignCommit {
        // The commit may have succeeded, and a later transaction of the raw handle been rolled back.
        announce(.everything, isRollingBack: true)
      } else {
        externalCommits.commitDidFail()
      }
    }
    database.commitHookDidFire = false
    beginTransaction()
    observers.didRollBack(database)
  }

  func rowWillChange(
    _ operation: Int32,
    _ schema: UnsafePointer<CChar>,
    _ table: UnsafePointer<CChar>,
    _ oldRowID: Int64,
    _ newRowID: Int64
  ) {
    // The schema that the raw handle changes, and changes back, has its names elsewhere each time.
    let hasStableNames = !database.authorizer.sawForeignHeaderChange
    if !hasStableNames { forgetAddresses() }
    let settlement = transaction.note(
      database.sqliteConnection,
      operation,
      schema,
      table,
      oldRowID,
      newRowID
    )
    if observers.wantsEvents {
      observers.note(database, operation, schema, table, oldRowID, newRowID)
    } else if hasStableNames {
      rows.settle(settlement, schema, table)
    }
  }

  /// The addresses of names may be those of other names from here on.
  private func forgetAddresses() {
    rows.forget()
    transaction.forgetAddresses()
  }

  // MARK: Installing

  /// Starts to listen to row changes: that costs something for each row, so it is done while somebody
  /// observes only.
  func install() {
    isInstalled = true
    externalCommits.begin(database)
    if recordings == 0 { installHook() }
    // A `DELETE` without `WHERE` that was compiled before would go on not to report its rows.
    database.authorizer.install(on: database.sqliteConnection)
    mustForgetTransaction = true
    rows.register(self)
  }

  func installHook() {
    // The context stays NULL: a session that is made on this connection takes the hook over, and
    // treats its context as another session.
    sqlite3_preupdate_hook(database.sqliteConnection, preupdate, nil)
  }

  func uninstall() {
    isInstalled = false
    forgetSchema()
    sqlite3_preupdate_hook(database.sqliteConnection, nil, nil)
    // A `DELETE` without `WHERE` that was compiled meanwhile would go on to visit each row.
    database.authorizer.install(on: database.sqliteConnection)
    headerNumbers = nil
    mustForgetTransaction = true
    rows.unregister()
  }

  // MARK: Transactions

  func beginTransaction() {
    isVerified = false
    let total = sqlite3_total_changes64(database.sqliteConnection)
    rows.forget()
    _ = rows.takeCount()
    guard mustForgetTransaction else { return transaction.begin(totalChanges: total) }
    mustForgetTransaction = false
    transaction = TransactionChanges(
      totalChanges: total,
      isTracked: isInstalled,
      observedTables: observedTables,
      storedColumns: storedColumns
    )
  }

  /// Learns what is observed, and the columns of it, when that has changed since the last time.
  func learnObservedTables() {
    let current = commits.observedTables(after: generation)
    if let current { (generation, growth, sharedTables) = current }
    guard current != nil || mustLearnColumns else { return }
    mustLearnColumns = false
    mustForgetTransaction = true
    observedTables = sharedTables
    for observer in regionObservers {
      observer.resolve(database)
      if let region = observer.region { observedTables.formUnion(region.observedTables) }
    }
    observedSequences = learnSequences()
    for table in observedTables.names where storedColumns[table] == nil {
      // A table whose columns cannot be read counts as changed altogether.
      storedColumns[table] = try? StoredColumns(of: table, database)
    }
  }

  /// The tables with the last ids of `AUTOINCREMENT` tables, as far as they are observed.
  private func learnSequences() -> [TableName] {
    guard observedTables.includesFullDatabase else {
      return observedTables.names.filter { $0.name == RegionAnalysis.sequenceTable }
    }
    let schemas = ["main"] + database.pragmas.attachedNames
    return schemas.map { TableName(schema: $0, name: RegionAnalysis.sequenceTable) }.filter {
      (try? StoredColumns(of: $0, database))?.names.isEmpty != true
    }
  }

  /// The schema may be another one: what is known of it is learned again in the next access.
  func forgetSchema() {
    storedColumns = [:]
    mustLearnColumns = true
    mustForgetTransaction = true
    for observer in regionObservers { observer.forgetRegion() }
  }

  /// What the transaction has changed that has just been committed.
  func finishedChanges() -> CommittedChanges {
    // Nobody observed when it began: somebody may now.
    guard isInstalled else { return .everything }
    // The authorizer tells of all statements that change the schema, or a pragma that the file
    // keeps, but for those that the raw handle runs. After each commit, so that the next one is
    // compared with this.
    let didChangeHeader = database.authorizer.sawForeignHeaderChange && headerDidChange()
    // A transaction that took the write lock by itself may have met a schema that others had just
    // changed.
    if externalCommits.haveCommittedBefore(database, isVerified: isVerified) {
      forgetSchema()
      return .everything
    }
    if didChangeHeader {
      forgetSchema()
      return .everything
    }
    transaction.excuse(rows: rows.takeCount())
    let total = sqlite3_total_changes64(database.sqliteConnection)
    if transaction.missedRows(totalChanges: total) { return .everything }
    if externalCommits.mayHaveWritten(database) {
      for table in observedSequences { transaction.addAll(of: table) }
    }
    return transaction.finish(growth: growth)
  }

  func headerDidChange() -> Bool {
    let current = try? database.headerNumbers()
    defer { headerNumbers = current }
    return current == nil || current != headerNumbers
  }
}
