internal import CWellspringSQLite
internal import Dispatch
internal import WellspringSystem

extension ConnectionQueue {
  /// Waits until all connections have come back, and lends none while `body` runs.
  ///
  /// - Parameters:
  ///   - deadline: When to stop waiting.
  ///   - shouldGiveUp: Whether to stop waiting earlier; called every 20 milliseconds.
  ///   - body: Called with whether all connections have come back.
  /// - Returns: The result of `body`.
  func withBarrier<Result>(
    deadline: DispatchTime = .distantFuture,
    shouldGiveUp: () -> Bool = { false },
    _ body: (_ allReturned: Bool) throws -> Result
  ) rethrows -> Result {
    let semaphore = DispatchSemaphore(value: 0)
    var allReturned = state.withLock { state in
      state.barrierThreads.append(CurrentThread.id)
      return state.machine.beginBarrier { _ in semaphore.signal() }
    }
    defer {
      let decisions = state.withLock { state in
        let index = state.barrierThreads.firstIndex(of: CurrentThread.id)
        if let index { state.barrierThreads.remove(at: index) }
        let decisions = state.machine.endBarrier()
        for case .handOver(let connection, _) in decisions { state.borrowed.append(connection) }
        return decisions
      }
      for decision in decisions { carryOut(decision) }
    }
    while !allReturned, DispatchTime.now() < deadline, !shouldGiveUp() {
      allReturned = semaphore.wait(timeout: min(deadline, .now() + 0.02)) == .success
    }
    return try body(allReturned)
  }
}

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

  /// Ends the accesses after ``drain()``: refuses waiting accesses, and stops the SQL of running
  /// accesses, whose transactions are rolled back.
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
  /// - Returns: The result of `body`; `nil` when no connection is idle.
  /// - Throws: The errors of `body`.
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

extension ConnectionQueue {
  /// Closes the idle connections. The queue opens new ones when they are needed.
  func closeIdle() {
    guard process.isCurrent else { return }
    for connection in state.withLock({ $0.machine.takeIdle() }) { connection.database.close() }
  }

  /// Closes each connection as soon as it is idle, because the file at the path was replaced.
  func replaceAll() {
    let idle = state.withLock { state in
      state.stale.formUnion(state.borrowed.map(ObjectIdentifier.init))
      state.epoch += 1
      return state.machine.takeIdle()
    }
    for connection in idle { connection.database.close() }
  }

  /// Closes the connection of the calling thread's access when that access ends.
  func replaceCurrent() {
    state.withLock { state in
      guard let connection = state.currentConnection else { return }
      state.stale.insert(ObjectIdentifier(connection))
    }
  }

  /// Refuses new accesses, and closes each connection as soon as it is idle.
  ///
  /// - Parameter waits: Whether to wait until all connections are closed.
  /// - Throws: ``DatabaseError`` with `SQLITE_BUSY` when statements of a connection are still held.
  ///   That connection stays open, and the next call tries to close it again.
  func close(waits: Bool) throws {
    // In a forked child process, the connections belong to the parent.
    guard process.isCurrent else { return }
    let semaphore = DispatchSemaphore(value: 0)
    let (idle, waiters, isDone) = state.withLock { state in
      state.machine.close { _ in semaphore.signal() }
    }
    for waiter in waiters { waiter(.closed) }
    for connection in idle { retire(connection) }
    if waits, !isDone { semaphore.wait() }
    let remaining = state.withLock { state in
      defer { state.unclosed.removeAll() }
      return state.unclosed
    }
    for connection in remaining { retire(connection) }
    let reports = state.withLock { $0.unclosed }.map(\.database.unclosedReport)
    guard reports.isEmpty else {
      throw DatabaseError(
        resultCode: .SQLITE_BUSY,
        message: reports.joined(separator: "; ")
      )
    }
  }

  /// Closes a connection, or keeps it in `unclosed` when it cannot be closed yet.
  func retire(_ connection: PooledConnection) {
    if connection.database.tryToClose() { return }
    state.withLock { $0.unclosed.append(connection) }
  }
}
