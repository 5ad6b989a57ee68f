package import Storage

extension Database {
  /// Records each transaction of this connection from here on.
  ///
  /// Rows that are changed through ``sqliteConnection`` are recorded too, if this library commits
  /// them.
  ///
  /// - Parameter delegate: Gets the transactions.
  /// - Throws: ``DatabaseError`` inside a transaction, or when SQLite lacks the preupdate hook.
  package func startRecording(_ delegate: any TransactionRecorderDelegate) throws {
    try CompileOption.preupdateHook.require(for: "replicated databases")
    try checkMayWrite()
    guard !isInsideTransaction else {
      throw DatabaseError.misuse("recording cannot begin inside a transaction")
    }
    let recorder = TransactionRecorder(database: self, delegate: delegate)
    setChangeRecorder(recorder)
    try recorder.begin()
  }

  /// Ends the recording that ``startRecording(_:)`` began.
  ///
  /// - Throws: ``DatabaseError`` inside a transaction.
  package func stopRecording() throws {
    try checkMayWrite()
    guard !isInsideTransaction else {
      throw DatabaseError.misuse("recording cannot end inside a transaction")
    }
    setChangeRecorder(nil)
  }

  /// Runs a closure whose transactions are not recorded.
  ///
  /// - Throws: ``DatabaseError`` inside a transaction, or if nothing is recorded; the errors of
  ///   `body`.
  package func bypassingRecorder<Value>(
    _ body: (RecordingBypass) throws -> Value
  ) throws -> Value {
    try checkMayWrite()
    guard !isInsideTransaction else {
      throw DatabaseError.misuse("recording cannot be bypassed inside a transaction")
    }
    let recorder = try transactionRecorder
    return try recorder.bypassed { try body(RecordingBypass(recorder)) }
  }

  /// Returns whether another connection has committed to the file since the recording began, or
  /// since the last commit that was recorded.
  ///
  /// A commit notifies the delegate of them by itself: see
  /// ``TransactionRecorderDelegate/foreignCommitWasFound(_:)``. This method is for times without
  /// commits.
  ///
  /// - Throws: ``DatabaseError`` if the file cannot be read, or nothing is recorded.
  package func hasUnrecordedCommits() throws -> Bool {
    try transactionRecorder.foreignCommits.wereMade(in: self)
  }

  private var transactionRecorder: TransactionRecorder {
    get throws {
      guard let recorder = changeRecorder as? TransactionRecorder else {
        throw DatabaseError.misuse("the transactions of the connection are not recorded")
      }
      return recorder
    }
  }
}

/// A recorded connection while nothing is recorded. Foreign commits are still noticed.
///
/// It is valid only inside the closure that provides it.
package struct RecordingBypass {
  private let recorder: TransactionRecorder

  init(_ recorder: TransactionRecorder) { self.recorder = recorder }

  package var db: Database { recorder.database }

  /// Runs a transaction that is not recorded.
  ///
  /// - Parameters:
  ///   - foreignCommit: The error of a transaction that finds a commit of another connection.
  ///   - updates: The changes.
  /// - Throws: `foreignCommit`, ``DatabaseError``, or the errors of `updates`. Nothing was written.
  package func write(
    orThrow foreignCommit: @autoclosure () -> any Error,
    _ updates: (Database) throws -> Database.TransactionCompletion
  ) throws {
    var completion = Database.TransactionCompletion.rollback
    try db.inTransaction(.immediate) {
      var check = recorder.foreignCommits
      if try check.adopt(db) { throw foreignCommit() }
      recorder.foreignCommits = check
      completion = try updates(db)
      return completion
    }
    if completion == .commit { recorder.foreignCommits.didCommit(db) }
  }

  /// Marks all commits of other connections so far as known.
  ///
  /// - Throws: `DatabaseError`.
  package func adoptForeignCommits() throws { _ = try recorder.foreignCommits.adopt(db) }
}

/// Gets the recorded transactions of a connection.
///
/// All methods are called on the thread of the access, between two statements.
package protocol TransactionRecorderDelegate: AnyObject {
  /// A transaction that has changed something is about to be committed.
  ///
  /// The method may read the database, and write into it in the same transaction. Its writes are
  /// not recorded.
  ///
  /// - Throws: An error. The transaction is rolled back then, and the commit throws it.
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
  /// - Throws: An error. The transaction is rolled back then, the commit throws it, and the
  ///   next commit calls the method again.
  func foreignCommitWasFound(_ db: Database) throws
}

extension TransactionRecorderDelegate {
  package func didCommit(_ db: Database) {}
  package func didRollBack(_ db: Database) {}
  package func contentWasReplaced(_ db: Database) {}
  package func foreignCommitWasFound(_ db: Database) throws {}
}
