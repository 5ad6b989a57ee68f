/// Finds out whether another connection has committed to the file of a recorded one.
///
/// `PRAGMA data_version` changes with each such commit, and also when another connection has
/// emptied the WAL. Then the WAL's index tells, which counts commits.
package struct ForeignCommitCheck {
  /// The data version after the last known commit.
  private var version: Int64?
  /// The number of commits in the WAL's index after the last known commit; `nil` while it is
  /// unknown, or without a WAL.
  private var commits: UInt32?

  /// Makes a check that knows no commit yet.
  package init() {}

  /// Takes all commits so far as known.
  ///
  /// - Returns: Whether another connection has committed since the last known commit.
  /// - Throws: ``DatabaseError``.
  @discardableResult
  package mutating func adopt(_ db: Database) throws -> Bool {
    let (previousVersion, previousCommits) = (version, commits)
    version = try db.versions.dataVersion()
    commits = Self.commits(db)
    guard version != previousVersion else { return false }
    guard let commits, let previousCommits else { return true }
    return commits != previousCommits
  }

  /// Returns whether another connection has committed since the last known commit.
  ///
  /// - Throws: ``DatabaseError``.
  package func wereMade(in db: Database) throws -> Bool {
    var copy = self
    return try copy.adopt(db)
  }

  /// The connection has committed, after ``adopt(_:)`` in the same transaction.
  package mutating func didCommit(_ db: Database) {
    // A transaction that has written no page is not counted.
    guard let before = commits, let after = Self.commits(db), after != before else { return }
    // Others may have committed since.
    commits = before &+ 1
  }

  /// The connection has committed without a call of ``adopt(_:)``.
  mutating func forgetCount() { commits = nil }

  private static func commits(_ db: Database) -> UInt32? {
    db.changeTracker.writerCommits.index(db)?.commits
  }
}
