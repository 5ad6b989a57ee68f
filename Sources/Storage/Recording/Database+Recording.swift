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
    changeTracker.setRecorder(recorder)
    try recorder.begin()
  }

  /// Ends what ``startRecording(_:)`` began.
  ///
  /// - Throws: ``DatabaseError`` inside a transaction.
  package func stopRecording() throws {
    try checkMayWrite()
    guard !isInsideTransaction else {
      throw DatabaseError.misuse("recording cannot end inside a transaction")
    }
    changeTracker.setRecorder(nil)
  }

  /// Runs a closure whose transactions are not recorded.
  ///
  /// - Throws: ``DatabaseError`` inside a transaction, or if nothing is recorded; what `body`
  ///   throws.
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
      guard let recorder = changeTracker.recorder as? TransactionRecorder else {
        throw DatabaseError.misuse("the transactions of the connection are not recorded")
      }
      return recorder
    }
  }
}
