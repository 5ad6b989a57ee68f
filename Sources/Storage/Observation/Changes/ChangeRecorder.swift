internal import CWellspringSQLite

/// Records the transactions of a writing connection, so that they can be repeated elsewhere.
///
/// All methods are called on the thread of the access.
protocol ChangeRecorder: AnyObject {
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

/// Recording the transactions of the connection.
extension ChangeTracker {
  /// Passes all that happens from the next transaction on to a recorder, or to none.
  func setRecorder(_ recorder: (any ChangeRecorder)?) {
    self.recorder = recorder
    rows.setRecorder(recorder)
    database.notesWrites = recorder != nil || recordings > 0 || lacksHook
    guard recorder != nil else { return }
    guard !isInstalled else {
      // Savepoints of the raw handle are noticed when their statements are compiled again.
      return database.authorizer.install(on: database.sqliteConnection)
    }
    install()
    learnObservedTables()
    beginTransaction()
  }

  func statementWillRun(_ statement: Statement) throws {
    if recordings > 0 || lacksHook { announceWrites(of: statement) }
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
    if let place, !mayCommitToFile { throw place.error ?? place.refusal }
    guard !observers.isEmpty else { return }
    if !observers.mayCommit(), let veto = observers.takeVeto() { throw veto }
    observersHaveAgreed = true
  }
}
