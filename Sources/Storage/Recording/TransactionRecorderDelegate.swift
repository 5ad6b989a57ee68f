/// Gets the recorded transactions of a connection.
///
/// All methods are called on the thread of the access, between two statements.
package protocol TransactionRecorderDelegate: AnyObject {
  /// A transaction that has changed something is about to be committed.
  ///
  /// The method may read the database, and write into it in the same transaction. What it writes is
  /// not recorded.
  ///
  /// - Throws: An error, by which the transaction is rolled back. The commit throws it.
  func willCommit(_ transaction: RecordedTransaction, _ db: Database) throws

  /// The transaction of the last ``willCommit(_:_:)`` was committed.
  func didCommit(_ db: Database)

  /// The transaction of the last ``willCommit(_:_:)`` was rolled back after the method returned.
  func didRollBack(_ db: Database)

  /// A backup has replaced the content of the database.
  func contentWasReplaced(_ db: Database)

  /// A transaction is about to be committed, and another connection has committed since the last
  /// one.
  ///
  /// The transaction then says that a snapshot is needed.
  ///
  /// - Throws: An error, by which the transaction is rolled back. The commit throws it, and the
  ///   next commit calls the method again.
  func foreignCommitWasFound(_ db: Database) throws
}

extension TransactionRecorderDelegate {
  package func didCommit(_ db: Database) {}
  package func didRollBack(_ db: Database) {}
  package func contentWasReplaced(_ db: Database) {}
  package func foreignCommitWasFound(_ db: Database) throws {}
}
