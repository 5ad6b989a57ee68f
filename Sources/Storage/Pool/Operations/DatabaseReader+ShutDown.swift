internal import Dispatch

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
  /// When the time has nearly passed, accesses that wait are refused, and the SQL of those that run
  /// is stopped, so that their transactions are rolled back. No commit that has succeeded is lost.
  /// Code of an access that runs no SQL cannot be stopped: its connection is closed later.
  ///
  /// A database that is closed already stays closed, and nothing is thrown.
  ///
  /// - Parameter time: The time in which it returns. What is left of the last second is for the
  ///   checkpoint.
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
