internal import CWellspringSQLite

/// Noticing what was written past the recorder: by other connections, and by savepoints of the raw
/// handle.
extension TransactionRecorder {
  /// Takes what others have done so far as known, or what a check knows.
  ///
  /// - Throws: ``DatabaseError``.
  func begin(knowing check: ForeignCommitCheck?) throws {
    knownSavepoints = database.authorizer.unrecordedSavepoints
    if let check { foreignCommits = check } else { try foreignCommits.adopt(database) }
  }

  /// Asks the delegate about commits of other connections, under the write lock.
  ///
  /// - Throws: The error by which the delegate refuses the commit.
  func checkForeignCommits() throws {
    // Until the delegate has accepted them, they stay unknown: the next commit asks again.
    var check = foreignCommits
    if try check.adopt(database) {
      try suspended { try delegate.foreignCommitWasFound(database) }
      buffer.appendSnapshotNeeded("another connection has written to the file")
      // What it has changed is unknown.
      knownSequences = nil
    }
    foreignCommits = check
  }

  /// Notes that savepoints of the raw handle may have undone recorded rows, or made undone ones
  /// last: the recorder takes their names for those of its own savepoints.
  ///
  /// - Parameter ending: The statement that is about to commit.
  func checkRawSavepoints(before ending: Statement) {
    let count = database.authorizer.unrecordedSavepoints
    if count != knownSavepoints {
      knownSavepoints = count
      mayHaveRawSavepoints = true
    }
    guard mayHaveRawSavepoints else { return }
    if rowEvents > 0 || !buffer.isEmpty {
      buffer.appendSnapshotNeeded("savepoints were used through sqliteConnection")
    }
    // A statement that was kept can run again without being compiled.
    mayHaveRawSavepoints = hasSavepointStatement(except: ending.sqliteStatement)
  }

  private func hasSavepointStatement(except ending: OpaquePointer) -> Bool {
    var statement = sqlite3_next_stmt(database.sqliteConnection, nil)
    while let current = statement {
      if current != ending, let sql = sqlite3_sql(current).map({ String(cString: $0) }) {
        switch SQLKeyword.first(in: sql) {
        case "savepoint", "release": return true
        // `ROLLBACK` alone is no savepoint.
        case "rollback" where sql.asciiLowercased.contains("to"): return true
        default: break
        }
      }
      statement = sqlite3_next_stmt(database.sqliteConnection, current)
    }
    return false
  }
}
