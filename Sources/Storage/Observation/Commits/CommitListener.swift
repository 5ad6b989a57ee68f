/// A receiver of the commits to one file, which ``FileCommits`` notifies.
protocol CommitListener: AnyObject, Sendable {
  /// What the live observations of the listener read.
  var observedTables: ObservedTables { get }

  /// A commit has ended, or a change that counts as one.
  ///
  /// Called on the thread that made or noticed the commit, outside the lock of ``FileCommits``.
  func didCommit(number: CommitNumber, _ changes: CommittedChanges)
}
