internal import CWellspringSQLite
internal import Dispatch
internal import WellspringPlatform

/// The end of a queue whose accesses may finish.
extension ConnectionQueue {
  /// Refuses new accesses from now on, with ``DatabaseError/databaseIsShuttingDown``. The accesses
  /// that run, or wait for a connection, can finish.
  func drain() { state.withLock { $0.machine.drain() } }

  /// Waits until all accesses have ended.
  ///
  /// - Returns: Whether they have, before the deadline.
  func awaitDrained(until deadline: DispatchTime) -> Bool {
    var pause: UInt32 = 50
    while !state.withLock({ $0.machine.isDrained }) {
      guard DispatchTime.now() < deadline else { return false }
      CurrentThread.pause(microseconds: pause)
      pause = min(pause * 2, 2000)
    }
    return true
  }

  /// Ends the accesses after ``drain()``: refuses those that wait, and stops the SQL of those that
  /// run, whose transactions are rolled back.
  func cutOff() {
    let waiters = state.withLock { state in
      // Under the lock, because a connection can be closed only after it has left `borrowed`.
      for connection in state.borrowed {
        connection.database.cancellation.set(.shutDown)
        sqlite3_interrupt(connection.database.sqliteConnection)
      }
      return state.machine.takeWaiters()
    }
    for waiter in waiters { waiter(.closed) }
  }

  /// Runs a closure with an idle connection after ``drain()``, and closes the connection.
  ///
  /// - Returns: What `body` returns; `nil` when no connection is idle.
  /// - Throws: What `body` throws.
  func useIdleAndClose<Result>(
    _ kind: Database.Access,
    _ body: (Database) throws -> Result
  ) rethrows -> Result? {
    var idle = state.withLock { $0.machine.takeIdle() }
    guard let connection = idle.popLast() else { return nil }
    defer { for connection in idle + [connection] { retire(connection) } }
    connection.database.cancellation.set(.none)
    return try connection.access(kind, body)
  }
}
