extension Database {
  /// Records each transaction of this connection from here on.
  ///
  /// Rows that are changed through ``sqliteConnection`` are recorded too, if this library commits
  /// them.
  ///
  /// - Parameters:
  ///   - delegate: Gets the transactions.
  ///   - check: The foreign commits that are known; `nil` for all so far.
  /// - Throws: ``DatabaseError`` inside a transaction, or when SQLite lacks the preupdate hook.
  package func startRecording(
    _ delegate: any TransactionRecorderDelegate,
    knowing check: ForeignCommitCheck? = nil
  ) throws {
    try CompileOption.preupdateHook.require(for: "replicated databases")
    try checkMayWrite()
    guard !isInsideTransaction else {
      throw DatabaseError.misuse("recording cannot begin inside a transaction")
    }
    let recorder = TransactionRecorder(database: self, delegate: delegate)
    changeTracker.setRecorder(recorder)
    try recorder.begin(knowing: check)
  }

  /// Ends what ``startRecording(_:knowing:)`` began.
  ///
  /// - Returns: The foreign commits that are known; `nil` if nothing was recorded.
  /// - Throws: ``DatabaseError`` inside a transaction.
  @discardableResult
  package func stopRecording() throws -> ForeignCommitCheck? {
    try checkMayWrite()
    guard !isInsideTransaction else {
      throw DatabaseError.misuse("recording cannot end inside a transaction")
    }
    let check = (changeTracker.recorder as? TransactionRecorder)?.foreignCommits
    changeTracker.setRecorder(nil)
    return check
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
    guard let recorder = changeTracker.recorder as? TransactionRecorder else {
      throw DatabaseError.misuse("the transactions of the connection are not recorded")
    }
    return try recorder.foreignCommits.wereMade(in: self)
  }
}
