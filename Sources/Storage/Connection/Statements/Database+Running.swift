internal import CWellspringSQLite
internal import Synchronization
internal import WellspringPlatform

extension Database {
  /// Called before the first step of a statement.
  func willRun(_ statement: Statement) throws {
    guard process.isCurrent else { throw DatabaseError.usedAfterFork }
    checkAccess()
    if cancellation.isRequested { throw CancellationError() }
    if transactionWasUndone {
      throw DatabaseError(
        resultCode: .SQLITE_ABORT,
        message: "SQLite has rolled the transaction back after an earlier error",
        sql: statement.sql
      )
    }
    if access == .read, !statement.isReadonly, !statement.effects.onlyReadsPragma {
      throw DatabaseError(
        resultCode: .SQLITE_READONLY,
        message: "attempt to write through a read-only access: use write instead of read",
        sql: statement.sql
      )
    }
    try regionRecorder?.record(statement)
    if notesWrites { hooks?.statementWillWrite(statement) }
    runningStatements.append(statement)
  }

  /// Whether a result code is that of SQL that was stopped because its access is cancelled. Statements can
  /// be stopped while they are compiled, too.
  func isCancelled(_ code: Int32) -> Bool {
    code & 0xFF == SQLITE_INTERRUPT && cancellation.isRequested
  }

  /// Called when a step has failed.
  func didFail() {
    hooks?.statementDidFail()
    transactionCompletions?.statementDidFail()
    if openTransactions > 0, sqlite3_get_autocommit(sqliteConnection) != 0 {
      transactionWasUndone = true
    }
  }

  /// The transaction has ended: statements may run again.
  func forgetUndoneTransaction() { transactionWasUndone = false }

  /// Called when a special statement has done all of its work.
  func didRun(_ statement: Statement) {
    if knownTransactionDate != nil { forgetTransactionDate(after: statement) }
    hooks?.specialStatementDidRun(statement)
  }

  /// Called when a run has ended, well or not.
  func didReset(_ statement: Statement, hasFailed: Bool = false) {
    if runningStatements.last === statement {
      runningStatements.removeLast()
    } else {
      runningStatements.removeAll { $0 === statement }
    }
    // How the transaction has ended is decided before others run statements of theirs.
    let ending = transactionCompletions?.statementDidEnd(self, statement)
    guard commitHookDidFire || hasObserverNews || ending != nil else { return }
    betweenTransactions {
      if commitHookDidFire { hooks?.commitMayHaveEnded() }
      if hasObserverNews {
        // `OR FAIL` leaves the rows that were changed before the error: SQLite counts those only.
        let isUndone = hasFailed && sqlite3_changes64(sqliteConnection) == 0
        hooks?.statementDidEnd(undone: isUndone)
      }
      ending?.run(self)
    }
  }

  /// Runs what follows a statement. When that has ended the transaction, statements that run here are not
  /// part of it: they work also after an error that has undone it, and those that fail leave it as it is.
  func betweenTransactions(_ body: () -> Void) {
    guard !isInsideTransaction else { return body() }
    let outer = (openTransactions, transactionWasUndone)
    (openTransactions, transactionWasUndone) = (0, false)
    defer { (openTransactions, transactionWasUndone) = outer }
    body()
  }

  /// The statement that was started last.
  var runningStatement: Statement? { runningStatements.last }

  /// Whether a statement of the library has been started and not been reset that may be the one that makes
  /// a commit. One that only reads goes on beside those of the raw handle.
  var mayBeCommitting: Bool {
    runningStatements.contains { !$0.isReadonly || $0.effects.isTransactionControl }
  }

  /// Finalizes a statement that nobody holds any more: now when its access runs on this thread,
  /// in the next access otherwise.
  func finalize(_ sqliteStatement: OpaquePointer) {
    guard process.isCurrent else { return }
    if accessThread == CurrentThread.id || isClosed {
      sqlite3_finalize(sqliteStatement)
    } else {
      orphans.withLock { $0.append(UInt(bitPattern: sqliteStatement)) }
      hasOrphans.store(true, ordering: .releasing)
    }
  }

  func finalizeOrphans() {
    guard hasOrphans.load(ordering: .acquiring) else { return }
    hasOrphans.store(false, ordering: .relaxed)
    let statements = orphans.withLock { orphans -> [UInt] in
      guard !orphans.isEmpty else { return [] }
      defer { orphans.removeAll() }
      return orphans
    }
    for statement in statements { sqlite3_finalize(OpaquePointer(bitPattern: statement)) }
  }
}
