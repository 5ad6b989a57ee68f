internal import Dispatch
internal import WellspringSystem

extension DatabaseReader {
  /// Waits until the observations have caught up with everything that was committed before the
  /// call, by this process or visibly by another one: the callbacks have returned, and the loops
  /// (`for await`) can take their values.
  ///
  ///     try await pool.write { db in try db.execute(sql: "DELETE FROM item") }
  ///     try await pool.quiesce()
  ///     // Each observation of `item` has delivered the empty result.
  ///
  /// It is meant for tests, and for programs that are about to end.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_MISUSE` inside a callback of an observation, for
  ///   which it would wait, and inside a synchronous access to a database.
  public func quiesce() async throws {
    try checkMayWait()
    let core = observableCore
    await withCheckedContinuation { continuation in
      core.broker.whenQuiescent { continuation.resume() }
    }
  }

  /// Waits on the calling thread until the observations have caught up.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_MISUSE` inside a callback of an observation, for
  ///   which it would wait, and inside a synchronous access to a database.
  @available(*, noasync, message: "use await")
  public func quiesce() throws {
    try checkMayWait()
    let done = DispatchSemaphore(value: 0)
    observableCore.broker.whenQuiescent { done.signal() }
    done.wait()
  }

  private func checkMayWait() throws {
    guard !ThreadScope.callback.isActive, !ThreadScope.blocking.isActive else {
      throw DatabaseError(
        resultCode: .SQLITE_MISUSE,
        message: """
          quiesce() was called inside a callback of an observation, or inside an access to a \
          database, for which it would wait: call it outside
          """
      )
    }
  }
}
