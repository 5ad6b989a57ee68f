internal import CWellspringSQLite
internal import WellspringSystem

/// The state of a connection's preupdate hook.
struct HookState {
  /// Whether the hook is installed.
  var isInstalled = false
  /// Whether something is observed although SQLite has no preupdate hook.
  var isMissing = false
  /// How many changesets are being recorded. While there are any, their sessions own the hook.
  var sessions = 0
  /// The witnesses that report changes while sessions own the hook: one for each database of the
  /// connection.
  var witnesses: [SessionWitness] = []

  /// Whether each statement must list the tables that it may write, because the hook does not
  /// report its writes.
  var isReplaced: Bool { sessions > 0 || isMissing }
}

/// Installing SQLite's hooks, and their reports.
extension ChangeTracker {
  // MARK: The commit and rollback hooks

  func installCommitHooks() {
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
      { Unmanaged<ChangeTracker>.fromOpaque($0!).takeUnretainedValue().rollbackHookDidFire() },
      context
    )
  }

  // MARK: The preupdate hook

  /// Starts to track row changes. The hook costs something for each row, so it is installed only
  /// while there is an observer.
  func install() {
    guard CompileOption.preupdateHook.isPresent else { return replaceHook() }
    hook.isInstalled = true
    writerCommits.begin(database)
    if hook.sessions == 0 { installPreupdateHook() }
    // A `DELETE` without `WHERE` that was compiled without the hook would not report its rows.
    // Installing the authorizer makes SQLite compile all statements again.
    database.authorizer.install(on: database.sqliteConnection)
    mustRebuildTransaction = true
    rows.register(self)
  }

  /// Makes do without the hook: each commit counts as a change of everything, and transaction
  /// observers are notified of the tables that statements may write.
  private func replaceHook() {
    guard !hook.isMissing else { return }
    hook.isMissing = true
    updateNotesWrites()
    FailureReports.shared.report(
      CompileOption.preupdateHook.missing(for: "observations of single rows"),
      source: database.path
    )
  }

  /// Makes the connection notify this tracker of its statements while it needs that.
  func updateNotesWrites() { database.notesWrites = recorder != nil || hook.isReplaced }

  func installPreupdateHook() {
    // The context stays NULL: a session that is created on this connection takes the hook over, and
    // treats its context as another session.
    sqlite3_preupdate_hook(database.sqliteConnection, preupdate, nil)
  }

  func uninstall() {
    hook.isInstalled = false
    forgetSchema()
    sqlite3_preupdate_hook(database.sqliteConnection, nil, nil)
    // A `DELETE` without `WHERE` that was compiled with the hook would still visit each row. Here
    // too, installing the authorizer makes SQLite compile it again.
    database.authorizer.install(on: database.sqliteConnection)
    observed.headerNumbers = nil
    mustRebuildTransaction = true
    rows.unregister()
  }

  func rowWillChange(
    _ row: PreupdateRow,
    _ schema: UnsafePointer<CChar>,
    _ table: UnsafePointer<CChar>
  ) {
    // After a schema change by the raw handle, the addresses of names do not stay the same.
    let hasStableNames = !database.authorizer.sawForeignHeaderChange
    if !hasStableNames { forgetAddresses() }
    if Fault.isOn(.blob), row.isDeleted, row.writtenBlob != nil {
      return transaction.countKnownRows(1)
    }
    let settlement = transaction.note(row, schema, table)
    if observers.wantsEvents {
      observers.note(database, row, schema, table)
    } else if hasStableNames {
      rows.settle(settlement, schema, table)
    }
  }

  /// Drops the addresses of names: from here on, they may be the addresses of other names.
  private func forgetAddresses() {
    rows.forget()
    transaction.forgetAddresses()
    observers.forgetInterests()
  }

  // MARK: Statements

  func statementDidFail() { forgetAddresses() }

  func specialStatementDidRun(_ statement: Statement) throws {
    let effects = statement.effects
    recorder?.specialStatementDidRun(statement)
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
      observers.forgetInterests()
      observers.rollBack(toSavepoint: name)
    case nil: break
    }
    try checkEmptyCommit(effects)
    if effects.isTransactionControl, sqlite3_get_autocommit(database.sqliteConnection) != 0 {
      observers.beginTransaction()
    }
    if effects.changesSchema { observers.forgetInterests() }
    // No hook reports either. A statement that has committed on its own is announced when it is
    // reset, which comes after this.
    if (effects.changesSchema && !Fault.isOn(.schema)) || effects.writesPragma {
      transaction.setEverything()
    }
    if effects.setsJournalMode { fileGuard?.forgetLog() }
    if effects.writesPragma, hook.isInstalled { writerCommits.begin(database) }
    if effects.changesSchema { forgetSchema() }
  }

  /// Lets the observers take part in the commit of a deferred transaction that has changed nothing.
  /// SQLite calls no hook for it.
  private func checkEmptyCommit(_ effects: StatementEffects) throws {
    guard effects.isTransactionControl, !effects.rollsBack, !observers.isEmpty,
      !commitState.wasTried,
      database.access == .write, sqlite3_get_autocommit(database.sqliteConnection) != 0
    else { return }
    try observers.didCommitNothing(database)
  }

  func contentWasReplaced() {
    recorder?.contentWasReplaced()
    forgetSchema()
    if hook.isInstalled { writerCommits.begin(database) }
    beginTransaction()
    // It counts as a foreign commit, because no commit hook has fired.
    let number = fileCommits.foreignCommitsWereFound()
    notifyObservers(of: .everything, number: number, isTransaction: false)
  }
}
