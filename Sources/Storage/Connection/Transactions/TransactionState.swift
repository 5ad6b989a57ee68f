internal import FoundationEssentials

/// The state of the transaction that is open on a connection, and how the last one ended.
///
/// ``Database/transactionWasUndone`` and ``Database/transactionCompletions`` belong to it too: they
/// are reasons of ``Attention``.
package struct TransactionState {
  /// How many transactions of ``Database/withTransaction(_:willCommit:_:)`` are open; that of a
  /// snapshot counts too. It exceeds 1 only after a closure has ended its transaction and begun
  /// another one.
  var openCount = 0
  /// Whether the last statement that ended a transaction was a `ROLLBACK`.
  var wasRolledBack = false
  /// Whether a statement has ended the open transaction before the end of its closure.
  var wasEndedByStatement = false
  /// Whether it was begun for one statement outside a transaction, so that it can be recorded
  /// before it is committed.
  package var isImplicit = false
  /// Whether it only finds out whether a write is possible.
  var isHealthCheck = false
  /// Its date, once ``Database/transactionDate`` was read.
  var date: Date?
  /// The error of a statement that was reset before its end, which could not throw it.
  var failure: (any Error)?
  /// The statements that begin and commit transactions.
  var statements = TransactionStatements()
}

/// The statements that begin and commit the transactions of a connection.
///
/// They are found without looking up their SQL, which would take as long as a small read.
struct TransactionStatements {
  /// A statement that begins or commits a transaction.
  enum Command: Int, CaseIterable {
    case beginDeferred
    case beginImmediate
    case beginExclusive
    case commit

    init(_ kind: Database.TransactionKind) {
      switch kind {
      case .deferred: self = .beginDeferred
      case .immediate: self = .beginImmediate
      case .exclusive: self = .beginExclusive
      }
    }

    var sql: String {
      switch self {
      case .beginDeferred: "BEGIN DEFERRED"
      case .beginImmediate: "BEGIN IMMEDIATE"
      case .beginExclusive: "BEGIN EXCLUSIVE"
      case .commit: "COMMIT"
      }
    }
  }

  private var statements: [Statement?] = Array(repeating: nil, count: Command.allCases.count)

  /// Returns the statement of a command when it was compiled and is idle.
  func idleStatement(_ command: Command) -> Statement? {
    guard let statement = statements[command.rawValue], !statement.isRunning,
      !statement.lastRun.isReserved
    else { return nil }
    return statement
  }

  mutating func insert(_ statement: Statement, for command: Command) {
    statements[command.rawValue] = statement
  }

  mutating func removeAll() { self = TransactionStatements() }
}

extension Database {
  /// Begins a transaction, which the caller ends with ``commit()`` or ``rollback()``.
  ///
  /// It is for the rare cases that ``inTransaction(_:_:)`` does not cover. A transaction that is
  /// still open at the end of the access is rolled back.
  ///
  /// - Parameter kind: The locks to take; `nil` means `.deferred` in a read-only access, and
  ///   `.immediate` otherwise.
  /// - Throws: ``DatabaseError``, also when a transaction is already running.
  public func beginTransaction(_ kind: TransactionKind? = nil) throws {
    let kind = kind ?? defaultTransactionKind
    try cachedStatement(sql: "BEGIN \(kind.rawValue)").execute()
    guard kind != .deferred else { return }
    hooks?.writeTransactionDidBegin()
    try checkSchemasOfAttached()
  }

  /// Commits the running transaction.
  ///
  /// - Throws: ``DatabaseError``, also when no transaction is running.
  public func commit() throws {
    try throwUnreportedFailure()
    try cachedStatement(sql: "COMMIT").execute()
  }

  /// Rolls the running transaction back.
  ///
  /// - Throws: ``DatabaseError``, but not when no transaction is running, because SQLite rolls back
  ///   on its own after some errors.
  public func rollback() throws {
    guard isInsideTransaction else { return }
    try runWhole(["ROLLBACK"])
  }

  /// The kind of a transaction when the caller passes none.
  var defaultTransactionKind: TransactionKind { access == .read ? .deferred : .immediate }
}
