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
  /// when no transaction follows. A statement that fails outside a transaction is none.
  ///
  /// - Parameters:
  ///   - onCommit: Called after a commit.
  ///   - onRollback: Called after a rollback, including that of a transaction that failed.
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
