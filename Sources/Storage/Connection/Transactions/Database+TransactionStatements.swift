extension Database {
  /// Begins a transaction, which the caller ends with ``commit()`` or ``rollback()``.
  ///
  /// It is for the rare cases that ``inTransaction(_:_:)`` does not cover. A transaction that is
  /// still open at the end of the access is rolled back.
  ///
  /// - Parameter kind: The locks to take; `nil` stands for `.deferred` in a read-only access, and
  ///   for `.immediate` otherwise.
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
  /// - Throws: ``DatabaseError``, also when there is no transaction.
  public func commit() throws {
    try throwUnreportedFailure()
    try cachedStatement(sql: "COMMIT").execute()
  }

  /// Rolls the running transaction back.
  ///
  /// - Throws: ``DatabaseError``, but not when there is no transaction, because SQLite rolls back
  ///   on its own after some errors.
  public func rollback() throws {
    guard isInsideTransaction else { return }
    try cachedStatement(sql: "ROLLBACK").execute()
  }

  /// The kind of a transaction when the caller passes none.
  var defaultTransactionKind: TransactionKind { access == .read ? .deferred : .immediate }
}
