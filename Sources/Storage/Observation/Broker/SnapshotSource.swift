internal import Dispatch
internal import WellspringPlatform

/// Where the batches of a broker read: in snapshots with a number.
///
/// A numbered snapshot contains the commits of this process up to that one, and no others. A commit
/// becomes visible before it is announced. So the snapshot is taken by a first read (`BEGIN DEFERRED`
/// takes none), and thrown away when a commit was under way or announced meanwhile.
struct SnapshotSource: Sendable {
  let commits: FileCommits
  let readers: ConnectionQueue
  /// Where the file of a pool that writes it must be.
  let place: FilePlace?
  /// Reads without locks, for a file that is only watched.
  let unlocked: UnlockedReader?

  /// Reads on the calling thread.
  func read<Value: Sendable>(
    _ body: @Sendable (Database, _ number: UInt64) throws -> Value
  ) throws -> (Value, number: UInt64) {
    guard let unlocked else {
      if let error = place?.error { throw error }
      return try readers.access(.read) { db in try readNumbered(db, body) }
    }
    // Many reads without locks may have been tried before the first one that finds the file locked.
    var deadline = DispatchTime.distantFuture
    while true {
      do {
        if !commits.isSharedByPools {
          let value = try unlocked.read { db in try readNumbered(db, body) }
          if let value { return value }
        }
        return try readers.access(.read) { db in try readNumbered(db, body) }
      } catch let error as DatabaseError
        where error.resultCode == .SQLITE_BUSY && DispatchTime.now() < deadline
      {
        deadline = min(deadline, .now() + Self.patience)
        // A writer's journal can look like that of a dead writer for a moment, for which SQLite does
        // not call the busy handler.
        CurrentThread.pause(microseconds: 2000)
      }
    }
  }

  /// How long a watcher tries to read a file that others have locked.
  private static let patience = DispatchTimeInterval.seconds(5)

  /// Reads on another thread. The completion is called once.
  func submit<Value: Sendable>(
    _ body: @escaping @Sendable (Database, _ number: UInt64) throws -> Value,
    completion: @escaping @Sendable (Result<(Value, number: UInt64), any Error>) -> Void
  ) {
    if let unlocked {
      unlocked.queue.async { completion(Result { try read(body) }) }
    } else {
      readers.submit(.read, AccessCancellation()) { db in
        if let error = place?.error { throw error }
        return try readNumbered(db, body)
      } completion: { result in
        completion(result)
      }
    }
  }

  private func readNumbered<Value>(
    _ db: Database,
    _ body: (Database, _ number: UInt64) throws -> Value
  ) throws -> (Value, number: UInt64) {
    var attempt = 0
    while true {
      let before = commits.position
      let isLastAttempt = attempt == Self.maximumAttempts
      if before.inFlight == 0 || isLastAttempt {
        let value = try db.readTransaction { () -> Value? in
          try db.takeSnapshot()
          // After many attempts the lower number stands: the value may be newer than it says, and
          // is then fetched once more when that commit is announced.
          guard commits.position == before || isLastAttempt else { return nil }
          return try body(db, before.number)
        }
        if let value { return (value, before.number) }
      }
      attempt += 1
      // A commit takes microseconds without a sync, and milliseconds with one.
      CurrentThread.pause(microseconds: min(UInt32(attempt) * 10, 500))
    }
  }

  private static let maximumAttempts = 2000
}
