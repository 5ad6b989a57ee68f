internal import CWellspringSQLite
internal import Dispatch
internal import WellspringPlatform

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
