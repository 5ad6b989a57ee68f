internal import CWellspringSQLite
internal import Synchronization
internal import WellspringSystem

/// Why the run of a statement needs more than SQLite's own calls.
///
/// The properties of the connection that are the reasons keep it, so that the run of a statement
/// tests one number.
struct Attention: OptionSet {
  let rawValue: UInt8

  /// ``Database/regionRecorder`` is set.
  static let regions = Attention(rawValue: 1 << 0)
  /// ``Database/notesWrites`` is set.
  static let writes = Attention(rawValue: 1 << 1)
  /// The run is limited in time.
  static let timeLimit = Attention(rawValue: 1 << 2)
  /// The run is measured.
  static let measurement = Attention(rawValue: 1 << 3)
  /// ``Database/hooksAwaitReset`` is set.
  static let reset = Attention(rawValue: 1 << 4)
  /// ``Database/commitAwaitsCheck`` is set.
  static let commitCheck = Attention(rawValue: 1 << 5)
  /// ``Database/transactionCompletions`` are set.
  static let completions = Attention(rawValue: 1 << 6)
  /// ``Database/transactionWasUndone`` is set.
  static let undoneTransaction = Attention(rawValue: 1 << 7)

  /// The reasons for work before a run.
  static let beforeRun: Attention = [
    .regions, .writes, .timeLimit, .measurement, .undoneTransaction,
  ]
  /// The reasons for work after a run.
  static let afterRun: Attention = [
    .writes, .timeLimit, .measurement, .reset, .commitCheck, .completions,
  ]

  mutating func set(_ reason: Attention, _ isSet: Bool) {
    if isSet { formUnion(reason) } else { subtract(reason) }
  }
}

extension Database {
  /// Checks that a statement may run, before its first step, and notes that it runs.
  // Copied into its only caller, without the rare steps: a row is inserted in half a microsecond,
  // and each function on the way takes some percent of that.
  @inline(__always)
  func willRun(_ statement: Statement) throws {
    if !attention.isDisjoint(with: .beforeRun) || !process.isCurrent || !isAccessed
      || cancellation.isRequested || (access == .read && !statement.isReadonly)
    {
      try prepareRun(of: statement)
    }
    runningStatements.append(statement)
  }

  /// Does all that comes before a run: ``willRun(_:)`` asks in advance whether there is any of it.
  @inline(never)
  private func prepareRun(of statement: Statement) throws {
    try requireMayRun(statement)
    try regionRecorder?.record(statement)
    if notesWrites { try hooks?.statementWillRun(statement) }
    beginTimeLimit()
    if let instrumentation { statement.lastRun.startTime = instrumentation.statementTime }
  }

  /// Checks everything that can forbid a statement to run.
  private func requireMayRun(_ statement: Statement) throws {
    guard process.isCurrent else { throw DatabaseError.usedAfterFork }
    try requireAccess()
    try cancellation.check()
    if transactionWasUndone {
      throw DatabaseError(
        resultCode: .SQLITE_ABORT,
        message: "SQLite has rolled the transaction back after an earlier error",
        sql: statement.sql
      )
    }
    if access == .read, !statement.isReadonly, !statement.effects.onlyReadsPragma {
      throw readonlyError(sql: statement.sql)
    }
  }

  /// Returns why SQLite has stopped with a result code: the access is cancelled, or the statement
  /// has run for too long; `nil` when it is something else. SQLite can stop while it compiles a
  /// statement, too.
  func interruption(_ code: Int32, sql: String) -> (any Error)? {
    let isBusy = code & 0xFF == SQLITE_BUSY
    guard isBusy || code & 0xFF == SQLITE_INTERRUPT else { return nil }
    // A cancellation ends the wait for a lock, too.
    if cancellation.isRequested { return cancellation.request.error }
    if isBusy { return nil }
    guard let timeout = configuration.statementTimeout, cancellation.isPastDeadline else {
      return nil
    }
    return DatabaseError(
      resultCode: .SQLITE_INTERRUPT,
      message: "the statement ran longer than Configuration.statementTimeout allows: \(timeout)",
      sql: sql
    )
  }

  /// Returns the error of a call of SQLite that bypasses ``Statement``. As for statements, the
  /// error of the cancellation wins if it has interrupted the call.
  package func failure(_ code: Int32, sql: String? = nil) -> any Error {
    interruption(code, sql: sql ?? "")
      ?? DatabaseError(code: code, connection: sqliteConnection, sql: sql)
  }

  /// Begins the time that a statement may take, unless another statement still runs.
  func beginTimeLimit() {
    if let statementTimeout, runningStatements.isEmpty {
      cancellation.setDeadline(after: statementTimeout)
    }
  }

  /// Ends the time limit when no statement runs any more.
  func endTimeLimit() {
    if statementTimeout != nil, runningStatements.isEmpty { cancellation.removeDeadline() }
  }

  /// Notes that a step has failed.
  func didFail() {
    hooks?.statementDidFail()
    transactionCompletions?.statementDidFail()
    if transactionState.openCount > 0, sqlite3_get_autocommit(sqliteConnection) != 0,
      !transactionState.wasEndedByStatement
    {
      transactionWasUndone = true
    }
  }

  /// Keeps the error of a statement that could not throw it: the end of the transaction or of the
  /// access throws it.
  package func noteUnreportedFailure(_ error: any Error) {
    didFail()
    transactionState.failure = transactionState.failure ?? error
  }

  /// Throws the error of a statement that could not throw it itself.
  func throwUnreportedFailure() throws {
    guard let failure = transactionState.failure else { return }
    transactionState.failure = nil
    throw failure
  }

  /// Checks that the commits so far are in the file at its path, unless a transaction runs.
  ///
  /// - Parameter sql: The statement that has committed.
  /// - Throws: ``DatabaseError`` when they may not be.
  func checkCommit(sql: String? = nil) throws {
    guard commitAwaitsCheck, !isInsideTransaction else { return }
    commitAwaitsCheck = false
    if let error = hooks?.checkCommit() { throw error.with(sql: sql) }
  }

  /// Notes that the transaction has ended, so that statements may run again.
  func forgetUndoneTransaction() { transactionWasUndone = false }

  /// Notes that a special statement has done all its work: see ``Statement/isSpecial``.
  ///
  /// - Throws: An error that makes the statement fail.
  func didRun(_ statement: Statement) throws {
    if transactionState.date != nil { forgetTransactionDate(after: statement) }
    if statement.effects.controlsTransaction {
      transactionState.wasRolledBack = statement.effects.rollsBack
    }
    if statement.effects.isTransactionControl {
      transactionState.wasEndedByStatement = !isInsideTransaction
    }
    // SQLite compiles a statement again when a database that it uses has changed. But a new table
    // hides tables of the same name in databases that were attached later.
    if statement.effects.changesSchema, !attached.isEmpty { expireStatements() }
    if statement.effects.setsSchemaVersion { versions.schemasMayHaveBeenReset() }
    try hooks?.specialStatementDidRun(statement)
  }

  /// Notes that a run has ended, with or without an error.
  // Copied into its callers, without the rare steps.
  @inline(__always)
  func didReset(_ statement: Statement, hasFailed: Bool = false) {
    if attention.isDisjoint(with: .afterRun) {
      runningStatements.remove(statement)
    } else {
      noteReset(of: statement, hasFailed: hasFailed)
    }
  }

  /// Does all that comes after a run.
  @inline(never)
  private func noteReset(of statement: Statement, hasFailed: Bool) {
    guard let instrumentation else { return endRun(of: statement, hasFailed: hasFailed) }
    let end = instrumentation.statementTime
    endRun(of: statement, hasFailed: hasFailed)
    statementDidEnd(statement, at: end, instrumentation)
  }

  private func endRun(of statement: Statement, hasFailed: Bool) {
    runningStatements.remove(statement)
    endTimeLimit()
    if hooksAwaitReset, hasFailed, !statement.isReadonly, !mayHaveKeptRows(statement) {
      hooks?.statementWasUndone(statement)
    }
    if notesWrites { hooks?.statementDidEnd(statement, hasFailed: hasFailed) }
    // A statement that is reset before its end commits then.
    if commitAwaitsCheck, transactionCompletions != nil, !isInsideTransaction,
      hooks?.checkCommit() != nil
    {
      transactionCompletions?.statementDidFail()
    }
    // How the transaction has ended must be decided before the hooks below run further statements.
    let ending = transactionCompletions?.statementDidEnd(self, statement)
    guard hooksAwaitReset || ending != nil else { return }
    betweenTransactions {
      if hooksAwaitReset {
        hooks?.statementDidReset(statement)
      }
      ending?.run(self)
    }
  }

  /// Returns whether rows of a statement that has failed may stand.
  ///
  /// `OR FAIL` keeps the rows that were changed before the error, and SQLite counts them, but not
  /// the rows of triggers, and it counts none for other failures. Where only triggers have changed
  /// rows, `RAISE(FAIL)` cannot be distinguished from `RAISE(ABORT)`.
  private func mayHaveKeptRows(_ statement: Statement) -> Bool {
    if sqlite3_changes64(sqliteConnection) != 0 { return true }
    let code = ResultCode(rawValue: sqlite3_extended_errcode(sqliteConnection))
    let codes: [ResultCode] = [
      .SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_PRIMARYKEY, .SQLITE_CONSTRAINT_ROWID,
      .SQLITE_CONSTRAINT_NOTNULL, .SQLITE_CONSTRAINT_CHECK,
    ]
    guard codes.contains(code) else { return false }
    let words = statement.sql.asciiLowercased.split(whereSeparator: \.isWhitespace)
    return zip(words, words.dropFirst()).contains { $0 == ("or", "fail") }
  }

  /// Runs `body` after a statement.
  ///
  /// When the statement has ended the transaction, statements in `body` are not part of it: they
  /// run even if an error has undone the transaction, and their failures do not affect it.
  func betweenTransactions(_ body: () -> Void) {
    guard !isInsideTransaction else { return body() }
    let outer = (transactionState.openCount, transactionWasUndone)
    (transactionState.openCount, transactionWasUndone) = (0, false)
    defer { (transactionState.openCount, transactionWasUndone) = outer }
    body()
  }

  /// The statement that was started last.
  var runningStatement: Statement? { runningStatements.last }

  /// Whether a running statement of the library may be the committing one. A statement that only
  /// reads never commits, but it may still be running while the raw handle commits.
  var mayBeCommitting: Bool {
    runningStatements.contains { !$0.isReadonly || $0.effects.isTransactionControl }
  }

  /// Finalizes a statement that is no longer referenced: immediately when the access runs on this
  /// thread, otherwise in the next access.
  func finalize(_ sqliteStatement: OpaquePointer) {
    guard process.isCurrent else { return }
    if accessThread == CurrentThread.id || isClosed {
      sqlite3_finalize(sqliteStatement)
    } else {
      orphans.withLock { $0.append(UInt(bitPattern: sqliteStatement)) }
      hasOrphans.store(true, ordering: .releasing)
    }
  }

  /// Finalizes the statements that were released on other threads.
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
