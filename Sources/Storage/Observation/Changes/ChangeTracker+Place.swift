/// Commits to a file that was moved, removed or replaced.
extension ChangeTracker {
  func movedFileError(_ code: ResultCode) -> DatabaseError? {
    switch code {
    case .SQLITE_READONLY_DBMOVED: place?.refusal
    // SQLite looks at the file before it creates a rollback journal.
    case .SQLITE_IOERR_FSTAT: place?.check() == false ? place?.refusal : nil
    default: nil
    }
  }

  /// Whether a commit may begin.
  var mayCommitToFile: Bool {
    guard let place, !place.mayCommit() else { return true }
    // Inside the commit hook, the journal mode cannot be read: the check after the commit reads it.
    return database.authorizer.sawForeignHeaderChange && place.isMissingLog
  }

  func checkCommit() -> DatabaseError? {
    wasCommitLost = !isFileInPlace
    return wasCommitLost ? place?.commitError ?? place?.refusal : nil
  }

  private var isFileInPlace: Bool {
    guard let place, !place.check() else { return true }
    guard database.authorizer.sawForeignHeaderChange, place.isMissingLog else { return false }
    // The raw handle may have changed the journal mode, by which SQLite removes the WAL.
    place.forgetLog()
    if (try? database.mainJournalMode()) == "wal" { place.noteLog() }
    return place.check()
  }

  /// Gives the place up before the connection is closed.
  ///
  /// When the file was moved, SQLite leaves its WAL at the path, and would apply the WAL to a file
  /// that has come there since. So the WAL is emptied.
  func leavePlace() {
    guard let place else { return }
    OpenDatabases.remove(place)
    guard place.isDatabaseAway else { return }
    database.checkpointing.run { database.emptyWAL() }
  }
}
