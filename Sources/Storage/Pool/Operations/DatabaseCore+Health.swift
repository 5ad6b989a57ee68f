internal import Dispatch
internal import WellspringPlatform

extension DatabaseCore {
  /// The size of the WAL in bytes; 0 without one.
  var walSize: Int {
    guard location.isFile else { return 0 }
    return Int(FileStatus(path: path + "-wal")?.size ?? 0)
  }

  /// The running write, and the oldest read and snapshot.
  var uses: (write: DatabaseHealth.Use?, read: DatabaseHealth.Use?, snapshot: DatabaseHealth.Use?) {
    let now = MonotonicClock.now
    func use(_ oldest: (label: String, start: UInt64)?) -> DatabaseHealth.Use? {
      oldest.map {
        let duration = max(now, $0.start) - $0.start
        return DatabaseHealth.Use(name: $0.label, duration: Duration(clockNanoseconds: duration))
      }
    }
    return (
      write: use(writers?.oldestAccess(.write)),
      read: use(readers.oldestAccess(.read)),
      snapshot: use(walKeeper?.oldestSnapshot)
    )
  }

  /// Returns why no write can begin within a time limit; `nil` when one can.
  func writeError(within limit: Duration) async -> (any Error)? {
    let (queue, access) = writing
    let cancellation = AccessCancellation()
    // The threads of the global queue may all be in use, but a queue of its own always gets one.
    let timer = DispatchQueue(label: "\(configuration.connectionLabel).health")
    timer.asyncAfter(deadline: .after(limit)) { cancellation.cancel() }
    let place = broker.snapshots.place
    do {
      return try await queue.access(access, cancellation) { db -> (any Error)? in
        place?.check()
        if let error = place?.error { throw error }
        guard access == .write else { return try db.errorAfterReading() }
        try db.checkThatAWriteCanBegin()
        return nil
      }
    } catch let error as CancellationError {
      if Task.isCancelled { return error }
      return DatabaseError(
        resultCode: .SQLITE_BUSY,
        message: "no write could begin within \(DatabaseActivity.text(of: limit))"
      )
    } catch {
      return error
    }
  }
}

extension ConnectionQueue {
  /// Returns the running access of a kind that began first: its connection and its start.
  fileprivate func oldestAccess(_ kind: Database.Access) -> (label: String, start: UInt64)? {
    state.withLock { state in
      state.borrowed
        .compactMap { connection in
          connection.start(of: kind).map { (connection.label, $0) }
        }
        .min { $0.1 < $1.1 }
    }
  }
}

extension Database {
  /// Reads from the file, and returns the error of a write.
  fileprivate func errorAfterReading() throws -> DatabaseError {
    _ = try Int.fetchOne(self, sql: "SELECT count(*) FROM sqlite_schema")
    return readonlyError()
  }

  /// Takes the write lock, and gives it back.
  fileprivate func checkThatAWriteCanBegin() throws {
    isCheckingHealth = true
    defer { isCheckingHealth = false }
    try beginTransaction(.immediate)
    try rollback()
  }
}
