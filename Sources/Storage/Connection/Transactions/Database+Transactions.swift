internal import CWellspringSQLite

extension Database {
  /// The locks that a transaction takes when it begins.
  /// https://www.sqlite.org/lang_transaction.html
  public enum TransactionKind: String, Sendable {
    /// No lock: the first read takes a snapshot, and the first write takes the write lock.
    case deferred = "DEFERRED"
    /// The write lock.
    case immediate = "IMMEDIATE"
    /// The write lock. Outside WAL mode, it also keeps readers out.
    case exclusive = "EXCLUSIVE"
  }
}

extension Database {
  /// How a transaction or a savepoint ends.
  public enum TransactionCompletion: Sendable {
    /// The changes are kept.
    case commit
    /// The changes are undone.
    case rollback
  }
}

extension Database {
  /// Whether the connection is in a transaction.
  public var isInsideTransaction: Bool { sqlite3_get_autocommit(sqliteConnection) == 0 }

  /// Runs a closure in a transaction.
  ///
  ///     try pool.writeWithoutTransaction { db in
  ///       try db.inTransaction {
  ///         try db.execute(sql: "DELETE FROM item")
  ///         return .commit
  ///       }
  ///     }
  ///     // BEGIN IMMEDIATE; DELETE FROM item; COMMIT
  ///
  /// - Parameters:
  ///   - kind: The locks to take at the beginning; `nil` means `.deferred` in a read-only access,
  ///     and `.immediate` otherwise.
  ///   - operations: Returns how the transaction ends. When it throws, the transaction is rolled
  ///     back.
  /// - Throws: The errors of `operations`, or ``DatabaseError`` when the transaction cannot begin
  ///   or end. Transactions do not nest: see ``inSavepoint(_:)``.
  public func inTransaction(
    _ kind: TransactionKind? = nil,
    _ operations: () throws -> TransactionCompletion
  ) throws {
    try withTransaction(kind ?? defaultTransactionKind) { (try operations(), ()) }
  }

  /// Runs a closure in a savepoint, a part of a transaction that can be undone separately.
  ///
  /// Savepoints nest. Outside a transaction, the savepoint is a transaction itself.
  ///
  /// - Parameter operations: Returns how the savepoint ends. When it throws, the savepoint is
  ///   undone.
  /// - Throws: The errors of `operations`, or ``DatabaseError``.
  public func inSavepoint(_ operations: () throws -> TransactionCompletion) throws {
    guard isInsideTransaction else { return try inTransaction(nil, operations) }
    try execute(sql: "SAVEPOINT wellspring")
    let completion: TransactionCompletion
    do {
      completion = try operations()
    } catch {
      throw undo(Self.savepointRollback, after: error)
    }
    // A statement of the closure may have ended the whole transaction.
    guard isInsideTransaction else {
      if completion == .commit, transactionState.wasRolledBack {
        throw DatabaseError.rolledBackByClosure
      }
      return
    }
    if completion == .rollback { return try runWhole(Self.savepointRollback) }
    try execute(sql: "RELEASE wellspring")
  }

  private static let savepointRollback = ["ROLLBACK TO wellspring", "RELEASE wellspring"]

  /// Runs a closure in a transaction, and returns the result that the closure returns along with
  /// the completion. `willCommit` is called just before the commit, and may throw to roll back.
  func withTransaction<Result>(
    _ kind: TransactionKind,
    willCommit: () throws -> Void = {},
    _ operations: () throws -> (TransactionCompletion, Result)
  ) throws -> Result {
    let outerWasEnded = transactionState.wasEndedByStatement
    try run(TransactionStatements.Command(kind))
    transactionState.openCount += 1
    transactionState.wasEndedByStatement = false
    defer {
      transactionState.openCount -= 1
      transactionState.wasEndedByStatement = outerWasEnded
      forgetUndoneTransaction()
    }
    if kind != .deferred { hooks?.writeTransactionDidBegin() }
    let completion: TransactionCompletion
    let result: Result
    do {
      if kind != .deferred { try checkSchemasOfAttached() }
      (completion, result) = try operations()
      if completion == .commit {
        try throwUnreportedFailure()
        // The closure may have swallowed the error that made SQLite roll back.
        if transactionWasUndone {
          throw DatabaseError(
            resultCode: .SQLITE_ABORT,
            message: "nothing was written: SQLite rolled the transaction back after an error"
          )
        }
        // A statement of the closure may have ended the transaction.
        if transactionState.wasRolledBack, !isInsideTransaction {
          throw DatabaseError.rolledBackByClosure
        }
        try willCommit()
        if isInsideTransaction { try run(.commit) }
        // A statement of the closure, or the raw handle, may have ended the transaction.
        if commitAwaitsCheck { try checkCommit() }
      }
    } catch {
      transactionState.failure = nil
      throw undo(["ROLLBACK"], after: error)
    }
    if completion == .rollback, isInsideTransaction { try runWhole(["ROLLBACK"]) }
    return result
  }

  /// Rolls back after `error`, and returns the error to throw: `error`, or, when the rollback fails
  /// too, the rollback's error with `error` as its underlying error.
  private func undo(_ statements: [String], after error: any Error) -> any Error {
    // After some errors, such as a full disk, SQLite has already rolled the transaction back.
    guard isInsideTransaction else { return error }
    do {
      try runWhole(statements)
    } catch let failure as DatabaseError {
      return failure.with(underlying: error)
    } catch {}
    return error
  }

  /// Runs the statements of a rollback: without it, the transaction would stay open.
  func runWhole(_ statements: [String]) throws {
    try complete { for sql in statements { try cachedStatement(sql: sql).execute() } }
  }

  /// Runs `body`, which a cancellation must not stop half-way. A request is withdrawn meanwhile,
  /// and `body` runs again after one that comes while it runs, or after an interrupt.
  ///
  /// - Throws: The errors of `body`. While a cursor is open, SQLite does not forget an interrupt,
  ///   so that no statement can begin. Then the error is that of the cancellation.
  func complete(_ body: () throws -> Void) throws {
    var request = cancellation.take()
    defer { cancellation.restore(request) }
    for attempt in 1...Self.rollbackAttempts {
      do {
        return try body()
      } catch  where Self.isStop(error) && attempt < Self.rollbackAttempts {
        let next = cancellation.take()
        if next != .none { request = next }
      } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
        throw request.error ?? error
      }
    }
  }

  /// Whether an error is that of a cancellation, or of an interrupt.
  private static func isStop(_ error: any Error) -> Bool {
    guard let error = error as? DatabaseError else { return error is CancellationError }
    return error.isDatabaseClosed || error.resultCode == .SQLITE_INTERRUPT
  }
}

extension DatabaseError {
  /// The error of a transaction that should be committed after a statement has rolled it back.
  fileprivate static let rolledBackByClosure = DatabaseError(
    resultCode: .SQLITE_ABORT,
    message: """
      a statement of the closure rolled the transaction back, which cannot be committed: return \
      .rollback, or throw
      """
  )
}

extension Database {
  /// Whether the transaction has changed rows whose foreign keys must be right when it commits, and
  /// are not right yet.
  package var hasUnresolvedForeignKeys: Bool {
    var current: Int32 = 0
    var highest: Int32 = 0
    sqlite3_db_status(sqliteConnection, SQLITE_DBSTATUS_DEFERRED_FKS, &current, &highest, 0)
    return current != 0
  }
}
