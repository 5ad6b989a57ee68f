internal import CWellspringSQLite
internal import Storage

/// The savepoint statements that the raw handle has compiled, as the authorizer counts them.
struct RawSavepoints {
  /// How many there were when they were last looked at.
  private var known: UInt = 0
  /// How many there were before the running savepoint statement of this library.
  private var beforeStatement: UInt = 0
  /// Whether the raw handle may run some that it has compiled before.
  var mayRunAgain = false

  /// Marks all so far as known.
  mutating func adopt(_ authorizer: Authorizer) { known = authorizer.unrecordedSavepoints }

  mutating func statementWillRun(_ authorizer: Authorizer) {
    beforeStatement = authorizer.unrecordedSavepoints
  }

  /// A savepoint statement of this library has run. SQLite may have compiled it again.
  mutating func statementDidRun(_ authorizer: Authorizer) {
    known &+= authorizer.unrecordedSavepoints &- beforeStatement
  }

  /// Returns whether any may have run since the last call.
  mutating func mayHaveRun(_ authorizer: Authorizer) -> Bool {
    let count = authorizer.unrecordedSavepoints
    if count != known { (known, mayRunAgain) = (count, true) }
    return mayRunAgain
  }
}

/// Noticing writes past the recorder: by other connections, and by savepoints of the raw handle.
extension TransactionRecorder {
  /// Marks all commits and raw savepoints so far as known.
  ///
  /// - Throws: ``DatabaseError``.
  func begin() throws {
    rawSavepoints.adopt(database.authorizer)
    try foreignCommits.adopt(database)
  }

  /// Asks the delegate about commits of other connections, under the write lock.
  ///
  /// - Throws: The error by which the delegate refuses the commit.
  func checkForeignCommits() throws {
    // Until the delegate has accepted them, they stay unknown: the next commit asks again.
    var check = foreignCommits
    if try check.adopt(database) {
      try suspended { try delegate.foreignCommitWasFound(database) }
      draft.buffer.appendSnapshotNeeded("another connection has written to the file")
      draft.followsForeignCommits = true
      // Its changes are unknown.
      knownSequences = nil
    }
    foreignCommits = check
  }

  /// Notes that savepoints of the raw handle may have undone recorded rows, or kept rows that the
  /// recorder treats as undone: the recorder confuses their names with the names of its own
  /// savepoints.
  ///
  /// - Parameter ending: The statement that is about to commit.
  func checkRawSavepoints(before ending: Statement) {
    guard rawSavepoints.mayHaveRun(database.authorizer) else { return }
    if draft.rowEvents > 0 || !draft.buffer.isEmpty {
      draft.buffer.appendSnapshotNeeded("savepoints were used through sqliteConnection")
    }
    // A statement that was kept can run again without being compiled.
    rawSavepoints.mayRunAgain = hasSavepointStatement(except: ending.sqliteStatement)
  }

  private func hasSavepointStatement(except ending: OpaquePointer) -> Bool {
    var statement = sqlite3_next_stmt(database.sqliteConnection, nil)
    while let current = statement {
      if current != ending, let sql = sqlite3_sql(current).map({ String(cString: $0) }) {
        switch SQLKeyword.first(in: sql) {
        case "savepoint", "release": return true
        // `ROLLBACK` alone is not a savepoint.
        case "rollback" where sql.asciiLowercased.contains("to"): return true
        default: break
        }
      }
      statement = sqlite3_next_stmt(database.sqliteConnection, current)
    }
    return false
  }
}
