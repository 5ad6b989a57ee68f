/// The closures to run after a connection's transaction.
final class TransactionCompletions {
  private var completions: [(onCommit: (Database) -> Void, onRollback: (Database) -> Void)] = []
  private var wasInside: Bool
  private var didFail = false

  init(_ db: Database) {
    wasInside = db.isInsideTransaction
  }

  func append(
    onCommit: @escaping (Database) -> Void,
    onRollback: @escaping (Database) -> Void
  ) {
    completions.append((onCommit, onRollback))
  }

  /// Notes that a step of a statement has failed. ``statementDidEnd(_:_:)`` follows.
  func statementDidFail() { didFail = true }

  /// Notes that a statement has ended, with or without an error.
  ///
  /// - Returns: The closures to run, when the statement has ended the transaction.
  func statementDidEnd(_ db: Database, _ statement: Statement) -> Ending? {
    defer { didFail = false }
    let isInside = db.isInsideTransaction
    defer { wasInside = isInside }
    guard !isInside else { return nil }
    // Outside a transaction, each statement that writes is a transaction itself, unless it fails.
    guard
      wasInside
        || (!statement.isReadonly && !statement.effects.isTransactionControl && !didFail)
    else { return nil }
    let isCommit = !didFail && !statement.effects.rollsBack
    return transactionDidEnd(db, isCommit ? .commit : .rollback)
  }

  /// Notes that the transaction has ended, and removes the closures from the connection.
  ///
  /// - Returns: The closures to run.
  func transactionDidEnd(
    _ db: Database,
    _ completion: Database.TransactionCompletion
  ) -> Ending {
    db.transactionCompletions = nil
    return Ending(
      closures: completions.map { onCommit, onRollback in
        switch completion {
        case .commit: onCommit
        case .rollback: onRollback
        }
      }
    )
  }

  /// The closures to run now, outside any transaction.
  struct Ending {
    fileprivate let closures: [(Database) -> Void]

    func run(_ db: Database) {
      for closure in closures { closure(db) }
    }
  }
}

extension Database {
  /// Runs a closure after the running transaction. When none is running, it waits for the next one.
  ///
  ///     try pool.write { db in
  ///       try db.execute(sql: "DELETE FROM attachment WHERE id = 1")
  ///       db.afterNextTransaction { _ in removeFile(1) }
  ///     }
  ///
  /// Savepoints count as parts of their transaction. The closures run in the access that ends the
  /// transaction, in the order in which they were added, outside any transaction. They never run
  /// when no transaction follows. A statement that fails outside a transaction is not one.
  ///
  /// - Parameters:
  ///   - onCommit: Called after a commit.
  ///   - onRollback: Called after a rollback, including the rollback of a transaction that failed.
  public func afterNextTransaction(
    onCommit: @escaping (Database) -> Void,
    onRollback: @escaping (Database) -> Void = { _ in }
  ) {
    checkAccess()
    let completions = transactionCompletions ?? TransactionCompletions(self)
    completions.append(onCommit: onCommit, onRollback: onRollback)
    transactionCompletions = completions
  }
}
