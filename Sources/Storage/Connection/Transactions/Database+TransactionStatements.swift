extension Database {
  /// Begins a transaction, which the caller ends with ``commit()`` or ``rollback()``, for the rare case
  /// that ``inTransaction(_:_:)`` cannot serve. One that an access leaves open is rolled back.
  ///
  /// - Parameter kind: The locks to take; `nil` stands for `.deferred` where nothing can be written, and
  ///   for `.immediate` elsewhere.
  /// - Throws: ``DatabaseError``, also when there is a transaction already.
  public func beginTransaction(_ kind: TransactionKind? = nil) throws {
    let kind = kind ?? defaultTransactionKind
    try cachedStatement(sql: "BEGIN \(kind.rawValue)").execute()
    if kind != .deferred { hooks?.writeTransactionDidBegin() }
  }

  /// Commits the running transaction.
  ///
  /// - Throws: ``DatabaseError``, also when there is no transaction.
  public func commit() throws { try cachedStatement(sql: "COMMIT").execute() }

  /// Rolls the running transaction back.
  ///
  /// - Throws: ``DatabaseError``. It is no error when there is no transaction: SQLite rolls back by
  ///   itself after some errors.
  public func rollback() throws {
    guard isInsideTransaction else { return }
    try cachedStatement(sql: "ROLLBACK").execute()
  }

  /// What a transaction takes where nothing is said.
  var defaultTransactionKind: TransactionKind { access == .read ? .deferred : .immediate }
}
