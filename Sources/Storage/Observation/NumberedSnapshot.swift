internal import WellspringPlatform

extension Database {
  /// Runs a closure in a read transaction whose snapshot has a number: it contains the commits of this
  /// process up to that one, and no others.
  ///
  /// A commit becomes visible before it is announced. So the snapshot is taken by a first read
  /// (`BEGIN DEFERRED` takes none), and thrown away when a commit was under way or announced
  /// meanwhile.
  func numberedSnapshot<Value>(
    of commits: FileCommits,
    _ body: (_ number: UInt64) throws -> Value
  ) throws -> Value {
    var attempt = 0
    while true {
      let before = commits.position
      let isLastAttempt = attempt == Self.maximumSnapshotAttempts
      if before.inFlight == 0 || isLastAttempt {
        let result = try readTransaction { () -> Value? in
          _ = try schemaVersion()
          // After many attempts the lower number stands: the value may be newer than it says, and
          // is then fetched once more when that commit is announced.
          guard commits.position == before || isLastAttempt else { return nil }
          return try body(before.number)
        }
        if let result { return result }
      }
      attempt += 1
      // A commit takes microseconds without a sync, and milliseconds with one.
      CurrentThread.pause(microseconds: min(UInt32(attempt) * 10, 500))
    }
  }

  private static var maximumSnapshotAttempts: Int { 2000 }
}
