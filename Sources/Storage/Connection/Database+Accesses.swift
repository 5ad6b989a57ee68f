internal import CWellspringSQLite
internal import WellspringSystem

extension Database {
  /// The permissions of an access.
  enum Access {
    case none
    case read
    case write
  }

  /// Begins an access on the calling thread.
  func beginAccess(_ access: Access) {
    self.access = access
    accessThread = CurrentThread.id
    finalizeOrphans()
    hooks?.accessDidBegin()
  }

  /// Ends the access and resets its statements, so that no read transaction outlives it.
  func endAccess() {
    // In a child process that was forked during the access, the access belongs to the parent.
    guard process.isCurrent else { return }
    while let statement = runningStatements.last {
      statement.reset()
      // Guarantees that the loop ends, whatever the reset has done.
      if runningStatements.last === statement { runningStatements.remove(statement) }
    }
    if sqlite3_get_autocommit(sqliteConnection) == 0, !keepsTransactions {
      rollBackFinally()
      let ending = transactionCompletions?.transactionDidEnd(self, .rollback)
      betweenTransactions { ending?.run(self) }
    }
    hooks?.accessWillEnd()
    if instrumentation != nil {
      busyHandler.waitDidEnd()
      recordSlowStatements()
    }
    if commitAwaitsCheck || transactionState.failure != nil { reportFailures() }
    access = .none
    accessThread = 0
  }

  /// Rolls back, although other threads may interrupt each attempt.
  private func rollBackFinally() {
    for _ in 0..<Self.rollbackAttempts where isInsideTransaction {
      let code = sqlite3_exec(sqliteConnection, "ROLLBACK", nil, nil, nil)
      guard code & 0xFF == SQLITE_INTERRUPT else { return }
    }
  }

  /// How often a rollback is tried while other threads interrupt it. A statement of the raw handle
  /// that still runs could keep the interrupt alive for ever.
  static let rollbackAttempts = 1000

  /// Reports the failures of an access that throws another error, or cannot throw.
  private func reportFailures() {
    do { try throwUnreportedFailure() } catch { ErrorLog.report(error, source: path) }
    do { try checkCommit() } catch { ErrorLog.report(error, source: path) }
  }

  /// Whether a transaction may outlive the access that began it.
  private var keepsTransactions: Bool {
    role == .snapshot || configuration.allowsUnsafeTransactions
  }

  /// Checks that a closure has ended the transactions that it began.
  ///
  /// - Throws: ``DatabaseError`` when a transaction is left open.
  func checkNoTransactionIsLeftOpen() throws {
    guard isInsideTransaction, !keepsTransactions else { return }
    throw DatabaseError(
      resultCode: .SQLITE_MISUSE,
      message: """
        the closure left a transaction open, which is rolled back: commit it, or set \
        Configuration.allowsUnsafeTransactions
        """
    )
  }

  /// Runs a closure in which statements that write fail with `SQLITE_READONLY`.
  ///
  ///     try pool.write { db in
  ///       try db.readOnly { try report(db) }
  ///     }
  ///
  /// Calls through ``sqliteConnection`` are not checked.
  ///
  /// - Throws: The errors of `value`.
  public func readOnly<Value>(_ value: () throws -> Value) rethrows -> Value {
    checkAccess()
    let outer = access
    access = .read
    defer { access = outer }
    return try value()
  }

  /// Checks that the access may write, before a change of the database without a statement.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_READONLY`.
  package func checkMayWrite() throws {
    guard access == .write else { throw readonlyError() }
  }

  /// The error of an attempt to write in a read-only access.
  func readonlyError(sql: String? = nil) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_READONLY,
      message: configuration.readonly
        ? "\(path) was opened with Configuration.readonly: it cannot be written"
        : "attempt to write through a read-only access: use write instead of read",
      sql: sql
    )
  }

  /// Releases as much memory as SQLite can: the page cache, and the statements that are kept for
  /// reuse.
  public func releaseMemory() {
    checkAccess()
    releaseStatements()
    sqlite3_db_release_memory(sqliteConnection)
  }

  /// Whether the calling thread is in an access to the connection.
  var isAccessed: Bool { access != .none && accessThread == CurrentThread.id }

  private static let usedOutsideAccess = """
    a Database, a Statement or a cursor was used outside of the read or write closure that \
    provided it: use it only inside the closure, and return copies of what was fetched, such as \
    arrays
    """

  /// Checks that the connection is used inside an access, on its thread.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_MISUSE`.
  func requireAccess() throws {
    guard isAccessed else { throw DatabaseError.misuse(Self.usedOutsideAccess) }
  }

  /// Stops the program when the connection is used outside an access, or on another thread: for
  /// calls that cannot throw.
  func checkAccess() { precondition(isAccessed, Self.usedOutsideAccess) }
}
