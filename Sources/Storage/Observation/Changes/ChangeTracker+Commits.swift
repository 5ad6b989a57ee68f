internal import CWellspringSQLite
internal import WellspringSystem

/// The commit of a connection that is under way, and how the last one ended.
struct CommitState {
  /// The phase of the commit.
  var phase = CommitPhase<WriterCommits.PendingCommit>.idle
  /// Whether the commit hook has fired in the running transaction.
  var wasTried = false
  /// Whether the observers have agreed to the commit before the commit hook fires.
  var observersHaveAgreed = false
  /// Whether the commit hook has refused the commit because the file was moved.
  var isRefusedByFileGuard = false
  /// Whether the last commit may not be in the file.
  var wasLost = false
}

/// The ends of transactions: their changes, and the notified listeners.
extension ChangeTracker {
  /// A commit that the observers of this connection must be notified of.
  struct CommitNotice {
    let number: CommitNumber
    let changes: CommittedChanges
    /// Whether the observers of transactions took part in the commit.
    let isTransaction: Bool
  }

  // MARK: Events

  /// - Returns: Whether SQLite may commit.
  func commitHookDidFire() -> Bool {
    commitState.wasTried = true
    commitState.wasLost = false
    commitState.isRefusedByFileGuard = !mayCommitToFile
    guard !commitState.isRefusedByFileGuard else { return false }
    guard commitState.observersHaveAgreed || observers.isEmpty || observers.mayCommit() else {
      return false
    }
    commitState.observersHaveAgreed = false
    guard recorder?.mayCommit() ?? true else { return false }
    database.hooksAwaitReset = true
    if fileGuard != nil { database.commitAwaitsCheck = true }
    commitState.phase.commitHookDidFire(isRaw: !database.mayBeCommitting) {
      writerCommits.commitDidBegin(database)
    }
    return true
  }

  func takeVeto() -> (any Error)? {
    observers.takeVeto() ?? recorder?.takeRefusal()
      ?? (commitState.isRefusedByFileGuard ? fileGuard?.error ?? fileGuard?.refusal : nil)
  }

  func statementWasUndone(_ statement: Statement) { observers.statementWasUndone(statement) }

  func statementDidReset(_ statement: Statement?) {
    database.hooksAwaitReset = false
    if commitState.phase.isPending {
      let isInTransaction = sqlite3_get_autocommit(database.sqliteConnection) == 0
      if endCommit(commitState.phase.statementDidReset(isInTransaction: isInTransaction)) {
        deliverCommits()
      }
    }
    if observers.hasUndelivered {
      // The raw handle may have committed, and rolled a later transaction back.
      if sqlite3_get_autocommit(database.sqliteConnection) != 0 { deliverCommits() }
      deliverEvents(endOf: statement)
    }
  }

  func walHookDidFire() {
    // The observers of this connection are notified when it can be used again.
    fileGuard?.noteLog()
    _ = endCommit(commitState.phase.walHookDidFire(mayBeOfStatement: database.mayBeCommitting))
  }

  func rollbackHookDidFire() {
    // A transaction ends only after this hook. So outside one, a statement has failed that would
    // have been committed on its own, unless the commit itself was refused or has failed.
    let isStatement =
      sqlite3_get_autocommit(database.sqliteConnection) != 0 && !commitState.wasTried
    _ = endCommit(commitState.phase.rollbackHookDidFire(), isRollingBack: true)
    commitState.observersHaveAgreed = false
    recorder?.didRollBack()
    beginTransaction()
    guard !database.transactionState.isHealthCheck else { return }
    observers.didRollBack(database, isStatement: isStatement)
  }

  /// Announces a commit whose outcome is known.
  ///
  /// - Returns: Whether it succeeded.
  private func endCommit(
    _ outcome: CommitPhase<WriterCommits.PendingCommit>.Outcome,
    isRollingBack: Bool = false
  ) -> Bool {
    switch outcome {
    case .none:
      return false
    case .failed(let commit):
      writerCommits.commitDidFail(commit)
      return false
    case .committed(let commit):
      announce(commit, takeChanges(of: commit))
    case .committedUnseen(let commit):
      announce(commit, .everything, isRollingBack: isRollingBack)
    }
    return true
  }

  private func announce(
    _ commit: WriterCommits.PendingCommit,
    _ changes: CommittedChanges,
    isRollingBack: Bool = false
  ) {
    let number = writerCommits.commitDidEnd(
      commit,
      changes,
      database,
      isRollingBack: isRollingBack
    )
    notifyObservers(of: changes, number: number)
  }

  // MARK: The changes

  /// Returns the changes of the commit, and prepares for the next transaction.
  private func takeChanges(of commit: WriterCommits.PendingCommit) -> CommittedChanges {
    let changes = finishedChanges(of: commit)
    if hook.isInstalled, case .everything = changes.observed { writerCommits.adoptSchema(database) }
    beginTransaction()
    return changes
  }

  private func finishedChanges(of commit: WriterCommits.PendingCommit) -> CommittedChanges {
    // Nothing was observed when the transaction began; something may be observed now.
    guard hook.isInstalled else { return .everything }
    // The authorizer reports all statements that change the schema, or a pragma that is stored in
    // the file, except statements of the raw handle. If the raw handle has run one, the header of
    // the file is compared with the header after the previous commit.
    let didChangeHeader = database.authorizer.sawForeignHeaderChange && headerDidChange()
    // A transaction in which a statement took the write lock may have met a schema that a foreign
    // commit had just changed.
    let followsForeignCommits = writerCommits.foreignCommitsPrecede(
      commit,
      database,
      isVerified: isVerified
    )
    guard !followsForeignCommits, !didChangeHeader else {
      forgetSchema()
      return .everything
    }
    transaction.countKnownRows(rows.takeCount())
    let total = sqlite3_total_changes64(database.sqliteConnection)
    if transaction.missedRows(totalChanges: total, isShadow: isShadow) { return .everything }
    if writerCommits.mayHaveWritten(commit, database) {
      for table in observed.sequences { transaction.addAll(of: table) }
    }
    return transaction.finish(growth: observed.growth)
  }

  private func isShadow(_ table: TableName) -> Bool {
    (try? database.currentRegionSchema())?.tables[table]?.kind == .shadow
  }

  private func headerDidChange() -> Bool {
    if Fault.isOn(.schema) { return false }
    let current = try? database.headerNumbers()
    defer { observed.headerNumbers = current }
    return current == nil || current != observed.headerNumbers
  }

  // MARK: The observers of this connection

  private func deliverEvents(endOf statement: Statement?) {
    observers.statementDidReset(database, statement)
    observers.deliverEnd(database)
  }

  /// Keeps a commit until the observers can be notified of it.
  func notifyObservers(
    of changes: CommittedChanges,
    number: CommitNumber,
    isTransaction: Bool = true
  ) {
    if observers.isEmpty, regionObservers.isEmpty { return }
    undeliveredCommits.append(
      CommitNotice(number: number, changes: changes, isTransaction: isTransaction)
    )
  }

  /// Notifies the observers of the commits, in order, when the connection can be used again.
  func deliverCommits() {
    // An observer may write, which commits again: the loop then delivers that commit too.
    guard !undeliveredCommits.isEmpty, !isDelivering else { return }
    // A commit that was not checked by its statement is checked again by its access, which throws.
    let isCommitLost = database.commitAwaitsCheck ? checkCommit() != nil : commitState.wasLost
    isDelivering = true
    defer { isDelivering = false }
    while !undeliveredCommits.isEmpty {
      let commit = undeliveredCommits.removeFirst()
      for observer in regionObservers {
        observer.resolve(database)
        // Until a changed schema is read, a region may have tables that were not tracked.
        let changes = observed.isOutdated ? commit.changes.touched : commit.changes.observed
        observer.receive(database, number: commit.number, changes)
      }
      guard commit.isTransaction else { continue }
      if isCommitLost {
        // To an observer, a commit that fails is a rollback.
        observers.didRollBack(database, isStatement: false)
        observers.deliverEnd(database)
      } else {
        observers.didCommit(database)
      }
    }
  }

  /// Notes that a region has changed, or may have. Outside a write transaction, the change is
  /// announced immediately.
  func notifyChanges(in region: DatabaseRegion) throws {
    let kinds = observers.isEmpty ? nil : try region.eventKinds(database)
    observers.note(database, changesOfKinds: kinds)
    if sqlite3_txn_state(database.sqliteConnection, nil) == SQLITE_TXN_WRITE {
      transaction.add(region.asChanges)
      return
    }
    // A statement that runs only reads here.
    if observers.hasUndelivered { deliverEvents(endOf: database.runningStatement) }
    let changes = CommittedChanges(
      observed: region.asChanges,
      unreported: region.asChanges,
      growth: fileCommits.observationGrowth
    )
    notifyObservers(of: changes, number: fileCommits.announce(changes))
    deliverCommits()
  }
}
