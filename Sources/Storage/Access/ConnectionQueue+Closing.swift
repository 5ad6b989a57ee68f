internal import CWellspringSQLite
internal import Dispatch
internal import WellspringPlatform

extension ConnectionQueue {
  /// Closes the connections that nobody uses. They are opened again when they are needed.
  func closeIdle() {
    guard process.isCurrent else { return }
    for connection in state.withLock({ $0.machine.takeIdle() }) { connection.database.close() }
  }

  /// Closes all connections as soon as nobody uses them: their file is not the file any more.
  func replaceAll() {
    let idle = state.withLock { state in
      state.stale.formUnion(state.borrowed.map(ObjectIdentifier.init))
      state.epoch += 1
      return state.machine.takeIdle()
    }
    for connection in idle { connection.database.close() }
  }

  /// Closes the connection that the calling thread uses when its access ends.
  func replaceCurrent() {
    state.withLock { state in
      guard let connection = state.currentConnection else { return }
      state.stale.insert(ObjectIdentifier(connection))
    }
  }

  /// Lets nobody in from now on, and closes each connection as soon as nobody uses it.
  ///
  /// - Parameter waits: Whether to wait for that.
  /// - Throws: ``DatabaseError`` with `SQLITE_BUSY` when somebody holds statements of a connection, which
  ///   stays open then. The next call tries again.
  func close(waits: Bool) throws {
    // In a child process, the connections belong to the parent.
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

  /// Closes a connection, or keeps it when that cannot be done yet.
  func retire(_ connection: Connection) {
    if connection.database.tryToClose() { return }
    state.withLock { $0.unclosed.append(connection) }
  }
}
