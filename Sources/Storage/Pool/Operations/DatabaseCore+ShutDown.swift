internal import Dispatch
internal import Synchronization
internal import WellspringPlatform

extension DatabaseCore {
  /// Ends observations and accesses, empties the WAL, and closes all connections.
  ///
  /// - Parameter deadline: When to be done. Accesses are stopped somewhat earlier.
  /// - Throws: ``DatabaseError`` when accesses had to be stopped, or statements are still held.
  func shutDown(until deadline: DispatchTime) throws {
    guard process.isCurrent else { throw DatabaseError.usedAfterFork }
    guard shutDownTurn.wait(timeout: deadline) == .success else {
      throw DatabaseError(
        resultCode: .SQLITE_INTERRUPT,
        message: "another task is still shutting the database down"
      )
    }
    defer { shutDownTurn.signal() }
    guard !isClosed.load(ordering: .relaxed) else { return }
    let start = DispatchTime.now()
    let end = max(start, deadline)
    let total = end.uptimeNanoseconds - start.uptimeNanoseconds
    // The rest of the time is for the rollbacks, and for the checkpoint.
    let reserve = min(total / 4, 1_000_000_000)
    let cutOff = DispatchTime(uptimeNanoseconds: end.uptimeNanoseconds - reserve)
    let rollback = DispatchTime(uptimeNanoseconds: end.uptimeNanoseconds - reserve / 2)

    let queues = isPool ? [writers, readers].compactMap(\.self) : [readers]
    queues[0].drain()
    broker.close()
    var stopped: [String] = []
    // A write may read through the pool, so the readers are needed until the writes have ended.
    for queue in queues {
      queue.drain()
      guard !queue.awaitDrained(until: cutOff) else { continue }
      stopped += queue.labelsInUse
      queue.cutOff()
      _ = queue.awaitDrained(until: rollback)
    }
    // The writer is closed last, because SQLite leaves the WAL beside the file when the last
    // connection only reads. Connections in use are closed when they come back.
    var closings = queues.dropFirst().map { queue in Result { try queue.close(waits: false) } }
    let failure = Result { try emptyWAL(until: end) }
    closings.append(Result { try queues[0].close(waits: false) })
    broker.closeProbes(waits: false)
    recordClosing()
    FailureReports.shared.flush()
    for closing in closings { try closing.get() }
    try failure.get()
    guard stopped.isEmpty else {
      throw DatabaseError(
        resultCode: .SQLITE_INTERRUPT,
        message: """
          the time for the shut-down has passed: accesses were stopped \
          (\(stopped.joined(separator: ", ")))
          """
      )
    }
  }

  /// Moves the whole WAL into the file through the writer, and closes the writer.
  ///
  /// When other connections hold the WAL, it stays as it is, bounded like before.
  private func emptyWAL(until deadline: DispatchTime) throws {
    guard let writers else { return }
    try writers.useIdleAndClose(.write) { db in
      guard let walKeeper, try db.mainJournalMode() == "wal" else { return }
      // The last connection to a file empties the WAL too, but only when no other process is there.
      try walKeeper.empty(db, until: min(deadline, .now() + WALKeeper.readerTimeout))
    }
  }
}
