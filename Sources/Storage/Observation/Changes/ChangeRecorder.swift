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
