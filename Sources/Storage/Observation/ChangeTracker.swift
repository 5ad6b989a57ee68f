internal import CWellspringSQLite
internal import WellspringPlatform

/// Finds out what each transaction of a writing connection changes, by SQLite's hooks, and announces
/// its commit.
///
/// It is used by the access that holds the connection, and by nobody else.
final class ChangeTracker: ConnectionHooks {
  // The database owns the tracker.
  private unowned let database: Database
  let commits: FileCommits

  /// Notices commits of others.
  let externalCommits: ExternalCommits

  private var isInstalled = false
  private var transaction: TransactionChanges
  /// Whether the commit hook has told ``FileCommits`` of a commit that has not ended.
  private var isCommitting = false
  /// Whether that is a commit of the raw handle, whose end nobody tells of.
  private var isForeignCommit = false
  /// What the header of the file held after the last commit, once it matters.
  private var headerNumbers: [Int64]?
  /// What is observed, as of a generation of the observations.
  private var observedTables: [TableName: ObservedTable] = [:]
  private var generation: UInt64 = 0
  /// The columns of the observed tables, as of the last look at the schema.
  private var storedColumns: [TableName: StoredColumns] = [:]
  private var mustLearnColumns = true
  /// Whether the running transaction is known to have begun with the schema that was learned.
  private var isVerified = false
  /// The tracker of the access that this one is nested in, on the same thread.
  private var outerTracker: UnsafeMutableRawPointer?

  init(database: Database, commits: FileCommits) {
    self.database = database
    self.commits = commits
    externalCommits = ExternalCommits(commits: commits)
    transaction = TransactionChanges(
      totalChanges: 0,
      isTracked: false,
      observedTables: [:],
      storedColumns: [:]
    )
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_commit_hook(
      database.sqliteConnection,
      { context in
        Unmanaged<ChangeTracker>.fromOpaque(context!).takeUnretainedValue().commitHookDidFire()
        return 0
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
    guard isInstalled else { return }
    uninstall()
    // Without a connection that stays open, the index may be made anew.
    commits.forgetIndex()
  }

  // MARK: ConnectionHooks

  func accessDidBegin() {
    let isObserved = commits.isObserved
    if isObserved != isInstalled { isObserved ? install() : uninstall() }
    if isInstalled {
      if externalCommits.schemaMayHaveChanged() { forgetSchema() }
      learnObservedTables()
    }
    beginTransaction()
    outerTracker = ChangeTracker.current.value
    ChangeTracker.current.value = Unmanaged.passUnretained(self).toOpaque()
  }

  func writeTransactionDidBegin() {
    guard isInstalled else { return }
    // Nobody else can commit from here on, so that what is known of the schema stays true.
    let isExternal = externalCommits.haveCommitted(database)
    if isExternal { commits.didChangeExternally() }
    if externalCommits.schemaMayHaveChanged() {
      forgetSchema()
      learnObservedTables()
      beginTransaction()
    }
    isVerified = true
  }

  func specialStatementDidRun(_ statement: Statement) {
    let effects = statement.effects
    switch effects.savepoint {
    case .begin(let name): transaction.beginSavepoint(name)
    case .release(let name): transaction.releaseSavepoint(name)
    case .rollback(let name): transaction.rollBack(toSavepoint: name)
    case nil: break
    }
    // Neither is reported by a hook. What the statement has committed by itself is announced when it
    // is reset, which comes after this.
    if effects.changesSchema || effects.writesPragma { transaction.setEverything() }
    if effects.writesPragma, isInstalled { externalCommits.begin(database) }
    if effects.changesSchema { forgetSchema() }
  }

  func commitMayHaveEnded() {
    database.commitHookDidFire = false
    guard isCommitting else { return }
    isCommitting = false
    if sqlite3_get_autocommit(database.sqliteConnection) == 0 {
      if isForeignCommit {
        // The raw handle has begun another transaction since.
        externalCommits.commitDidEnd(.everything, database)
      } else {
        // The commit failed, because of a reader or of a deferred constraint, and can be tried again.
        externalCommits.commitDidFail()
      }
      return
    }
    let changes = finishedChanges()
    if isInstalled, case .everything = changes.observed { externalCommits.adoptSchema(database) }
    beginTransaction()
    externalCommits.commitDidEnd(changes, database)
  }

  func accessWillEnd() {
    // Commits of the raw handle end here.
    if database.commitHookDidFire { commitMayHaveEnded() }
    ChangeTracker.current.value = outerTracker
    outerTracker = nil
  }

  // MARK: What SQLite tells

  private func commitHookDidFire() {
    database.commitHookDidFire = true
    // A failed commit that is tried again is the same one.
    guard !isCommitting else { return }
    isCommitting = true
    isForeignCommit = !database.hasRunningStatements
    externalCommits.commitDidBegin(database)
  }

  private func didRollBack() {
    if isCommitting {
      isCommitting = false
      if isForeignCommit {
        // The commit may have succeeded, and a later transaction of the raw handle been rolled back.
        externalCommits.commitDidEnd(.everything, database)
      } else {
        externalCommits.commitDidFail()
      }
    }
    database.commitHookDidFire = false
    beginTransaction()
  }

  fileprivate func rowWillChange(
    _ operation: Int32,
    _ schema: UnsafePointer<CChar>,
    _ table: UnsafePointer<CChar>,
    _ oldRowID: Int64,
    _ newRowID: Int64
  ) {
    transaction.note(database.sqliteConnection, operation, schema, table, oldRowID, newRowID)
  }

  // MARK: Installing

  /// Starts to listen to row changes: that costs something for each row, so it is done while somebody
  /// observes only.
  private func install() {
    isInstalled = true
    externalCommits.begin(database)
    // The context stays NULL: a session that is made on this connection takes the hook over, and
    // treats its context as another session.
    sqlite3_preupdate_hook(database.sqliteConnection, preupdate, nil)
    // A `DELETE` without `WHERE` that was compiled before would go on not to report its rows.
    database.authorizer.install(on: database.sqliteConnection)
    let address = UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque())
    ChangeTracker.registry.withLock {
      $0[UInt(bitPattern: database.sqliteConnection)] = address
    }
  }

  private func uninstall() {
    isInstalled = false
    forgetSchema()
    sqlite3_preupdate_hook(database.sqliteConnection, nil, nil)
    headerNumbers = nil
    ChangeTracker.registry.withLock {
      $0[UInt(bitPattern: database.sqliteConnection)] = nil
    }
  }

  // MARK: Transactions

  private func beginTransaction() {
    isVerified = false
    transaction = TransactionChanges(
      totalChanges: sqlite3_total_changes64(database.sqliteConnection),
      isTracked: isInstalled,
      observedTables: observedTables,
      storedColumns: storedColumns
    )
  }

  /// Learns what is observed, and the columns of it, when that has changed since the last time.
  private func learnObservedTables() {
    let current = commits.observedTables(after: generation)
    if let current { (generation, observedTables) = current }
    guard current != nil || mustLearnColumns else { return }
    mustLearnColumns = false
    for table in observedTables.keys where storedColumns[table] == nil {
      // A table whose columns cannot be read counts as changed altogether.
      storedColumns[table] = try? StoredColumns(of: table, database)
    }
  }

  /// The schema may be another one: what is known of it is learned again in the next access.
  private func forgetSchema() {
    storedColumns = [:]
    mustLearnColumns = true
  }

  /// What the transaction has changed that has just been committed.
  private func finishedChanges() -> CommittedChanges {
    // Nobody observed when it began: somebody may now.
    guard isInstalled else { return .everything }
    // A transaction that took the write lock by itself may have met a schema that others had just
    // changed.
    if externalCommits.haveCommittedBefore(database, isVerified: isVerified) {
      forgetSchema()
      return .everything
    }
    let total = sqlite3_total_changes64(database.sqliteConnection)
    if transaction.missedRows(totalChanges: total) { return .everything }
    // The authorizer tells of all statements that change the schema, or a pragma that the file
    // keeps, but for those that the raw handle runs.
    if database.authorizer.sawForeignHeaderChange, headerDidChange() {
      forgetSchema()
      return .everything
    }
    return CommittedChanges(
      observed: transaction.observed,
      touched: transaction.touched,
      generation: generation
    )
  }

  private func headerDidChange() -> Bool {
    let current = try? database.headerNumbers()
    defer { headerNumbers = current }
    return current == nil || current != headerNumbers
  }

  // MARK: Finding the tracker of a connection

  /// The tracker of the access that the current thread is in.
  private static let current = ThreadLocalPointer()

  // Guards the addresses of the trackers whose hook is installed, by that of the connection.
  private static let registry = Lock<[UInt: UInt]>([:])

  /// The tracker of a connection that is about to change a row.
  fileprivate static func tracker(of connection: OpaquePointer?) -> ChangeTracker? {
    if let pointer = current.value {
      let tracker = Unmanaged<ChangeTracker>.fromOpaque(pointer).takeUnretainedValue()
      if tracker.database.sqliteConnection == connection { return tracker }
    }
    // Accesses to several databases are nested on this thread.
    let address = registry.withLock { $0[UInt(bitPattern: connection)] }
    return address.flatMap(UnsafeRawPointer.init(bitPattern:))
      .map { Unmanaged<ChangeTracker>.fromOpaque($0).takeUnretainedValue() }
  }
}

private func preupdate(
  context: UnsafeMutableRawPointer?,
  connection: OpaquePointer?,
  operation: Int32,
  schema: UnsafePointer<CChar>?,
  table: UnsafePointer<CChar>?,
  oldRowID: Int64,
  newRowID: Int64
) {
  guard let schema, let table else { return }
  ChangeTracker.tracker(of: connection)?
    .rowWillChange(operation, schema, table, oldRowID, newRowID)
}
