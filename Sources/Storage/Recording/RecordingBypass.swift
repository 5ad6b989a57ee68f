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
  /// - Throws: `foreignCommit`, ``DatabaseError``, or what `updates` throws. Nothing was written.
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
