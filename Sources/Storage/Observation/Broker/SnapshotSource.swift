internal import Dispatch
internal import WellspringSystem

/// Provides the numbered snapshots in which a broker's batches read.
///
/// A numbered snapshot contains the commits of this process up to its number, and no later ones. A
/// commit becomes visible before it is announced. So the snapshot is taken by a first read (`BEGIN
/// DEFERRED` takes none), and dropped if a commit was under way or was announced meanwhile.
struct SnapshotSource: Sendable {
  let commits: FileCommits
  let readers: ConnectionQueue
  /// Where the file must be, for a pool that writes it.
  let fileGuard: FileIdentityGuard?
  /// Reads a file that is only watched.
  let watching: WatchingReader?
  /// Which commits of a watched file's log were announced.
  var notified: NotifiedIndex?

  /// Reads on the calling thread.
  ///
  /// - Parameter body: Reads in the snapshot. `isExact` says whether the snapshot is known to
  ///   contain exactly the commits up to its number, foreign commits included.
  /// - Returns: The result of the body, and the number of the snapshot.
  /// - Throws: The error of the body, or why the file cannot be read.
  func read<Value: Sendable>(
    _ body: @Sendable (Database, _ number: CommitNumber, _ isExact: Bool) throws -> Value
  ) throws -> (Value, number: CommitNumber) {
    try access { db in try readNumbered(db, body) }
  }

  /// Reads on the calling thread, without a snapshot.
  ///
  /// - Parameters:
  ///   - patience: How long to wait for the end of one transaction before a file that is only
  ///     watched is read with locks.
  ///   - body: The read. A read without locks is repeated if the file was written meanwhile.
  /// - Returns: The result of the last call of the body.
  /// - Throws: The error of that call, or why the file cannot be read.
  func access<Value>(
    waitingUpTo patience: Duration = WatchingReader.patience,
    _ body: (Database) throws -> Value
  ) throws -> Value {
    guard let watching else {
      if let error = fileGuard?.error { throw error }
      return try readers.access(.read) { db in try body(db) }
    }
    // The time counts from the first read that finds the file locked: many reads without locks may
    // come before it.
    var deadline = DispatchTime.distantFuture
    while true {
      do {
        if !commits.isSharedByPools {
          let value = try watching.read(waitingUpTo: patience) { db in try body(db) }
          if let value { return value }
        }
        return try readers.access(.read) { db in try body(db) }
      } catch let error as DatabaseError
        where error.resultCode == .SQLITE_BUSY && DispatchTime.now() < deadline
      {
        deadline = min(deadline, .now() + Self.patience)
        // For a moment, a writer's journal can look like the journal of a dead writer. SQLite does
        // not call the busy handler then.
        CurrentThread.pause(microseconds: 2000)
      }
    }
  }

  /// How long a watcher tries to read a locked file.
  private static let patience = DispatchTimeInterval.seconds(5)

  /// Reads on another thread. The completion is called once.
  func submit<Value: Sendable>(
    _ body: @escaping @Sendable (Database, _ number: CommitNumber, _ isExact: Bool) throws -> Value,
    completion: @escaping @Sendable (Result<(Value, number: CommitNumber), any Error>) -> Void
  ) {
    if let watching {
      watching.queue.async { completion(Result { try read(body) }) }
    } else {
      readers.submit(.read, AccessCancellation()) { db in
        if let error = fileGuard?.error { throw error }
        return try readNumbered(db, body)
      } completion: { result in
        completion(result)
      }
    }
  }

  private func readNumbered<Value>(
    _ db: Database,
    _ body: (Database, _ number: CommitNumber, _ isExact: Bool) throws -> Value
  ) throws -> (Value, number: CommitNumber) {
    var attempt = 0
    while true {
      let before = commits.withLedger { $0.position }
      let isLastAttempt = attempt == Self.maximumAttempts
      if Fault.isOn(.snapshot) || before.pendingCount == 0 || isLastAttempt {
        let value = try db.readTransaction(takesSnapshot: false) { () -> Value? in
          try db.takeSnapshot()
          // The index counts at least the commits in the snapshot.
          let hasIndex = commits.withLedger { $0.hasIndex } || notified?.isKnown == true
          let index = hasIndex ? WALIndex.read(db.sqliteConnection) : nil
          // Compared before the position is read: commits that were announced by now have a number.
          let isNotified = index.map { notified?.countsSameCommits(as: $0) ?? false } ?? false
          let (position, isIndexKnown) = commits.withLedger { ledger in
            (ledger.position, index.map(ledger.isKnown) ?? false)
          }
          // After many attempts, the lower number is used. If the value is newer than its number
          // says, it is fetched once more when the later commit is announced.
          guard Fault.isOn(.snapshot) || position == before || isLastAttempt else { return nil }
          let isKnown = isIndexKnown || isNotified || Fault.isOn(.patchForeign)
          let isExact =
            position == before && before.pendingCount == 0
            && (isKnown || isPrivate(db) || isKnownToWriter(db))
          return try body(db, before.number, isExact)
        }
        if let value { return (value, before.number) }
      }
      attempt += 1
      // A commit takes microseconds without a sync, and milliseconds with one.
      CurrentThread.pause(microseconds: min(UInt32(attempt) * 10, 500))
    }
  }

  /// Whether no other connection can commit to the database.
  private func isPrivate(_ db: Database) -> Bool {
    !db.location.isFile && db.location.sharedName == nil
  }

  /// Whether a connection that both reads and writes a file without a WAL knows all commits.
  private func isKnownToWriter(_ db: Database) -> Bool {
    guard db.location.isFile, let tracker = db.installedTracker else { return false }
    return tracker.writerCommits.isKnown(db)
  }

  private static let maximumAttempts = 2000
}
