internal import CWellspringSQLite
internal import WellspringPlatform

extension Database {
  /// Begins an access on the calling thread.
  func beginAccess(_ access: Access) {
    self.access = access
    accessThread = CurrentThread.id
    finalizeOrphans()
    hooks?.accessDidBegin()
  }

  /// Ends the access: no statement of it goes on, so that no read transaction outlives it.
  func endAccess() {
    // In a child process that was forked in the middle of the access, all of it is the parent's.
    guard process.isCurrent else { return }
    while let statement = runningStatements.last {
      statement.reset()
      // Whatever the reset has done, this ends.
      if runningStatements.last === statement { runningStatements.removeLast() }
    }
    if sqlite3_get_autocommit(sqliteConnection) == 0, !keepsTransactions {
      sqlite3_exec(sqliteConnection, "ROLLBACK", nil, nil, nil)
      let ending = transactionCompletions?.transactionDidEnd(self, .rollback)
      betweenTransactions { ending?.run(self) }
    }
    hooks?.accessWillEnd()
    access = .none
    accessThread = 0
  }

  /// Whether a transaction may outlive the access that began it.
  private var keepsTransactions: Bool {
    role == .snapshot || configuration.allowsUnsafeTransactions
  }

  /// - Throws: ``DatabaseError`` when a closure has left a transaction open that it should have ended.
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

  /// Runs a closure whose statements must not write: those that do are refused with
  /// `SQLITE_READONLY`.
  ///
  ///     try pool.write { db in
  ///       try db.readOnly { try report(db) }
  ///     }
  ///
  /// What is done through ``sqliteConnection`` is not looked at.
  ///
  /// - Throws: What `value` throws.
  public func readOnly<Value>(_ value: () throws -> Value) rethrows -> Value {
    checkAccess()
    let outer = access
    access = .read
    defer { access = outer }
    return try value()
  }

  /// Gives back as much memory as SQLite can: the page cache and the statements that are kept for
  /// reuse.
  public func releaseMemory() {
    checkAccess()
    releaseStatements()
    sqlite3_db_release_memory(sqliteConnection)
  }

  /// Stops with a message when the connection is used outside of an access, or on another thread.
  func checkAccess() {
    precondition(
      access != .none && accessThread == CurrentThread.id,
      """
      A Database, a Statement or a cursor was used outside of the read or write closure that \
      provided it. Use it inside of the closure only, and return copies of what was fetched, such \
      as arrays.
      """
    )
  }
}
