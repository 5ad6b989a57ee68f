internal import CWellspringSQLite

/// Records the transactions of a writing connection, so that they can be repeated elsewhere.
///
/// All methods are called on the thread of the access.
package protocol ChangeRecorder: AnyObject {
  /// A row is about to change, inside the preupdate hook: no statement can run.
  func rowWillChange(
    _ row: PreupdateRow,
    _ schema: UnsafePointer<CChar>,
    _ table: UnsafePointer<CChar>
  )

  /// A statement is about to run, perhaps one that commits.
  ///
  /// - Throws: The error by which the transaction cannot be committed. It was rolled back.
  func statementWillRun(_ statement: Statement) throws

  /// A statement has run to its end that controls transactions, changes the schema or sets a
  /// pragma.
  func specialStatementDidRun(_ statement: Statement)

  /// A statement that was a transaction of its own has done its work.
  ///
  /// - Throws: The error by which the transaction cannot be committed. It was rolled back.
  func endImplicitTransaction(of statement: Statement) throws

  /// A statement was reset.
  func statementDidEnd(_ statement: Statement, hasFailed: Bool)

  /// Whether SQLite may commit, inside the commit hook.
  func mayCommit() -> Bool

  /// Returns the error of a refusal by ``mayCommit()``.
  func takeRefusal() -> (any Error)?

  /// SQLite rolls back, inside the rollback hook.
  func didRollBack()

  /// A backup has replaced the content of the database.
  func contentWasReplaced()

  /// Whether SQLite changes rows by statements of its own.
  var runsInternalStatements: Bool { get set }
}

extension Database {
  /// Records the transactions of this connection; `nil` while nothing is recorded.
  package var changeRecorder: (any ChangeRecorder)? { changeTracker.recorder }

  /// Passes all that happens from the next transaction on to a recorder, or to none.
  package func setChangeRecorder(_ recorder: (any ChangeRecorder)?) {
    changeTracker.setRecorder(recorder)
  }

  /// Calls everything but the recorder that may refuse a commit before the commit begins.
  /// Afterwards, only SQLite itself and the recorder can refuse it.
  ///
  /// - Throws: The error of the refusal.
  package func askBeforeCommit() throws { try changeTracker.askBeforeCommit() }

  /// The index of the WAL; `nil` without a WAL.
  package var indexOfWAL: WALIndex? { changeTracker.writerCommits.index(self) }
}

/// Recording the transactions of the connection.
extension ChangeTracker {
  /// Passes all that happens from the next transaction on to a recorder, or to none.
  func setRecorder(_ recorder: (any ChangeRecorder)?) {
    self.recorder = recorder
    rows.setRecorder(recorder)
    updateNotesWrites()
    guard recorder != nil else { return }
    guard !hook.isInstalled else {
      // Savepoints of the raw handle are noticed when their statements are compiled again.
      return database.authorizer.install(on: database.sqliteConnection)
    }
    install()
    learnObservedTables()
    beginTransaction()
  }

  func statementWillRun(_ statement: Statement) throws {
    if hook.isReplaced { announceWrites(of: statement) }
    try recorder?.statementWillRun(statement)
  }

  func statementDidEnd(_ statement: Statement, hasFailed: Bool) {
    recorder?.statementDidEnd(statement, hasFailed: hasFailed)
  }

  func endImplicitTransaction(of statement: Statement) throws {
    try recorder?.endImplicitTransaction(of: statement)
  }

  /// Calls everything that may refuse a commit before the commit begins. Afterwards, only SQLite
  /// itself can refuse it.
  ///
  /// - Throws: The error of the refusal.
  func askBeforeCommit() throws {
    if let fileGuard, !mayCommitToFile { throw fileGuard.error ?? fileGuard.refusal }
    guard !observers.isEmpty else { return }
    if !observers.mayCommit(), let veto = observers.takeVeto() { throw veto }
    commitState.observersHaveAgreed = true
  }
}
