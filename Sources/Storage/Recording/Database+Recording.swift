extension Database {
  /// Records each transaction of this connection from here on.
  ///
  /// Rows that are changed through ``sqliteConnection`` are recorded too, if this library commits
  /// them.
  ///
  /// - Throws: ``DatabaseError`` inside a transaction.
  package func startRecording(_ delegate: any TransactionRecorderDelegate) throws {
    try checkMayWrite()
    guard !isInsideTransaction else {
      throw DatabaseError.misuse("recording cannot begin inside a transaction")
    }
    let recorder = TransactionRecorder(database: self, delegate: delegate)
    changeTracker.setRecorder(recorder)
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
}
