internal import Dispatch
internal import WellspringPlatform

extension DatabaseReader {
  /// Waits until the observations have caught up: all that was committed before the call, by this
  /// process or visibly by others, has been called back, or waits in its `for await` loop to be taken.
  ///
  ///     try await pool.write { db in try db.execute(sql: "DELETE FROM item") }
  ///     try await pool.quiesce()
  ///     // Each observation of `item` has told that there is none.
  ///
  /// Meant for tests, and for programs that end: nothing else needs it.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_MISUSE` inside of a callback of an observation, for which
  ///   it would wait, and inside of a synchronous access to a database.
  public func quiesce() async throws {
    try checkMayWait()
    let core = observableCore
    await withCheckedContinuation { continuation in
      core.broker.whenQuiescent { continuation.resume() }
    }
  }

  /// Waits on the calling thread until the observations have caught up.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_MISUSE` inside of a callback of an observation, for which
  ///   it would wait, and inside of a synchronous access to a database.
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
          quiesce() was called inside of a callback of an observation, or of an access to a \
          database, for which it would wait: call it outside
          """
      )
    }
  }
}
