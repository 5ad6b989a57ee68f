/// The reports of a connection to the observation engine: the only seam between the two.
///
/// All methods are called on the thread of the access.
protocol ConnectionHooks: AnyObject {
  /// An access begins, before its first statement.
  func accessDidBegin()

  /// A write transaction has just taken SQLite's write lock.
  func writeTransactionDidBegin()

  /// A statement that SQLite's own hooks do not report in full has run to its end: it controls
  /// transactions, changes the schema or sets a pragma.
  ///
  /// - Throws: The error by which an observer refuses the commit of an empty transaction.
  func specialStatementDidRun(_ statement: Statement) throws

  /// A statement has failed: SQLite may have undone its work, the schema included.
  func statementDidFail()

  /// A statement that writes has failed while ``Database/hooksAwaitReset`` is set, and SQLite has
  /// undone its rows. It is called before all other methods about the end of the statement.
  func statementWasUndone(_ statement: Statement)

  /// A statement has been reset while ``Database/hooksAwaitReset`` is set.
  ///
  /// - Parameter statement: The statement; `nil` at the end of an access, when no statement runs.
  func statementDidReset(_ statement: Statement?)

  /// A commit has written the WAL of `main` and become visible, while the statement that made it
  /// still runs.
  func walHookDidFire()

  /// A statement is about to run while ``Database/notesWrites`` is set.
  ///
  /// - Throws: The error by which a recorder refuses the commit that the statement would make.
  func statementWillRun(_ statement: Statement) throws

  /// A statement was reset while ``Database/notesWrites`` is set.
  func statementDidEnd(_ statement: Statement, hasFailed: Bool)

  /// A statement has done its work while ``TransactionState/isImplicit`` is set.
  ///
  /// - Throws: The error by which its transaction cannot be committed.
  func endImplicitTransaction(of statement: Statement) throws

  /// Returns the error of an observer that has just refused a commit.
  func takeVeto() -> (any Error)?

  /// Checks that the last commit is in the file at its path, when ``Database/commitAwaitsCheck`` is
  /// set.
  ///
  /// - Returns: An error if it may not be.
  func checkCommit() -> DatabaseError?

  /// Returns the error of a write that SQLite has refused with `code` because the file was moved;
  /// `nil` if the code has another reason.
  func movedFileError(_ code: ResultCode) -> DatabaseError?

  /// A backup has replaced the content of the database, which no hook of SQLite reports.
  func contentWasReplaced()

  /// The connection is about to be closed.
  func connectionWillClose()

  /// The access ends; nothing will run on the connection until the next one.
  func accessWillEnd()
}
