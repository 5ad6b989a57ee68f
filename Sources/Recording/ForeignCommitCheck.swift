package import Storage

/// Finds out whether another connection has committed to the file of a recorded one.
///
/// As long as the WAL ends with the frame after which no other connection had committed, none has.
/// Otherwise, `PRAGMA data_version` tells, which costs more. It changes with each such commit, and
/// also when another connection has emptied the WAL. Then the WAL's index tells, which counts
/// commits.
package struct ForeignCommitCheck {
  /// The data version after the last known commit.
  private var version: Int64?
  /// The number of commits in the WAL's index after the last known commit; `nil` while it is
  /// unknown, or without a WAL.
  private var commits: UInt32?
  /// The WAL's index after the last known commit; `nil` while it is unknown, or without a WAL.
  private var index: WALIndex?

  /// Makes a check that knows no commit yet.
  package init() {}

  /// Takes all commits so far as known.
  ///
  /// - Returns: Whether another connection has committed since the last known commit.
  /// - Throws: ``DatabaseError``.
  @discardableResult
  package mutating func adopt(_ db: Database) throws -> Bool {
    if let index, let present = db.indexOfWAL, present.countsSameFrames(as: index) {
      commits = present.commits
      return false
    }
    let (previousVersion, previousCommits) = (version, commits)
    version = try db.versions.dataVersion()
    index = db.indexOfWAL
    commits = index?.commits
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
    let present = db.indexOfWAL
    guard let before = commits, let present, present.commits != before else { return }
    // Other connections may have committed since.
    commits = before &+ 1
    index = present.commits == commits ? present : nil
  }

  /// The connection has committed without a call of ``adopt(_:)``.
  mutating func forgetCount() { (commits, index) = (nil, nil) }
}
