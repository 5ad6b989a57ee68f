internal import CWellspringSQLite

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

  /// Asks all that may refuse a commit before it begins, so that only a commit that SQLite refuses
  /// can fail afterwards.
  ///
  /// - Throws: The error by which one of them refuses it.
  func askBeforeCommit() throws {
    if let place, !mayCommitToFile { throw place.error ?? place.refusal }
    guard !observers.isEmpty else { return }
    if !observers.mayCommit(), let veto = observers.takeVeto() { throw veto }
    observersHaveAgreed = true
  }
}
