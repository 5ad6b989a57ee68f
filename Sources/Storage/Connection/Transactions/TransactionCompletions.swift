internal import CWellspringSQLite

extension Database {
  /// Runs a closure when the running transaction has ended, or the next one when there is none.
  ///
  ///     try pool.write { db in
  ///       try db.execute(sql: "DELETE FROM attachment WHERE id = 1")
  ///       db.afterNextTransaction { _ in removeFile(1) }
  ///     }
  ///
  /// Savepoints count as parts of their transaction. The closures run in the access that ends the
  /// transaction, in the order in which they were added, outside of any transaction; and never when no
  /// transaction follows.
  ///
  /// - Parameters:
  ///   - onCommit: Called after the commit.
  ///   - onRollback: Called after the rollback, also of a transaction that failed.
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

/// The closures that wait for the end of a connection's transaction.
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

  /// A step of a statement has failed, which will be told to have ended.
  func statementDidFail() { didFail = true }

  /// A statement has ended, well or not.
  ///
  /// - Returns: What is to be run when that has ended the transaction.
  func statementDidEnd(_ db: Database, _ statement: Statement) -> Ending? {
    defer { didFail = false }
    let isInside = db.isInsideTransaction
    defer { wasInside = isInside }
    guard !isInside else { return nil }
    // A statement that writes is a transaction of its own where there is none.
    guard wasInside || (!statement.isReadonly && !statement.effects.isTransactionControl) else {
      return nil
    }
    let isCommit = !didFail && !statement.effects.rollsBack
    return transactionDidEnd(db, isCommit ? .commit : .rollback)
  }

  /// The transaction has ended: the closures wait for no other one.
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

  /// The closures that are to be called, outside of the transaction.
  struct Ending {
    fileprivate let closures: [(Database) -> Void]

    func run(_ db: Database) {
      for closure in closures { closure(db) }
    }
  }
}
