internal import Dispatch
internal import Synchronization
internal import WellspringSystem

extension DatabaseReader {
  /// Shuts the database down in order, before a service ends.
  ///
  ///     try await pool.shutDown(within: .seconds(10))
  ///
  /// 1. Observations end, and their loops finish.
  /// 2. New writes are refused with ``DatabaseError/databaseIsShuttingDown``. Writes that run or
  ///    wait are carried out. Then the same happens to reads.
  /// 3. A `truncate` checkpoint empties the WAL, and all connections are closed.
  ///
  /// When the time has nearly passed, waiting accesses are refused, and the SQL of running accesses
  /// is stopped, so that their transactions are rolled back. No commit that has succeeded is lost.
  /// Code of an access that runs no SQL cannot be stopped: its connection is closed later.
  ///
  /// A database that is closed already stays closed, and nothing is thrown.
  ///
  /// - Parameter time: The time in which it returns. The remaining part of the last second is for
  ///   the checkpoint.
  /// - Throws: ``DatabaseError``: with `SQLITE_INTERRUPT` when accesses had to be stopped, whose
  ///   connections are named; with `SQLITE_BUSY` when a ``Statement`` or a cursor is still held, as
  ///   in ``DatabaseReader/close()``. The database is shut down nevertheless. `SQLITE_INTERRUPT`
  ///   is also thrown when another call still shuts the database down as the time ends.
  public func shutDown(within time: Duration = .seconds(10)) async throws {
    let core = observableCore
    let deadline = DispatchTime.after(time)
    try await withUnsafeThrowingContinuation { continuation in
      // Shutting down blocks, which a cooperative thread must not do. The threads of the global
      // queue may all be in use, but a queue of its own always gets one.
      DispatchQueue(label: "\(core.configuration.connectionLabel).shutDown").async {
        continuation.resume(with: Result { try core.shutDown(until: deadline) })
      }
    }
  }
}

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
    // The remaining time is for the rollbacks, and for the checkpoint.
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
