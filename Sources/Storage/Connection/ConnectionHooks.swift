/// What the observation engine is told of a connection: the one seam between the two.
///
/// All methods are called on the thread of the access.
protocol ConnectionHooks: AnyObject {
  /// An access begins, before its first statement.
  func accessDidBegin()

  /// A write transaction has just taken SQLite's write lock.
  func writeTransactionDidBegin()

  /// A statement has run to its end that SQLite's own hooks do not tell everything of: one that
  /// controls transactions, changes the schema or sets a pragma.
  func specialStatementDidRun(_ statement: Statement)

  /// A statement has failed: SQLite may have undone what it did, the schema included.
  func statementDidFail()

  /// SQLite's commit hook has fired, and the statement that made it fire has ended since, well or
  /// not.
  func commitMayHaveEnded()

  /// A commit has written the WAL of `main` and become visible, while the statement that made it still
  /// runs.
  func walCommitDidEnd()

  /// A statement is about to run while ``Database/notesWrites`` is set.
  func statementWillWrite(_ statement: Statement)

  /// A statement has ended whose changes the observers of transactions are still to be told, or that
  /// has rolled back.
  func statementDidEnd(undone: Bool)

  /// The error of an observer that has just refused a commit.
  func takeVeto() -> (any Error)?

  /// A backup has replaced the content of the database, which no hook of SQLite tells of.
  func contentWasReplaced()

  /// The connection is about to be closed.
  func connectionWillClose()

  /// The access ends; nothing will run on the connection until the next one.
  func accessWillEnd()
}
