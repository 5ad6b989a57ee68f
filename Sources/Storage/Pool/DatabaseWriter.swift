/// Something to write to: a ``DatabasePool`` or a ``DatabaseQueue``.
public protocol DatabaseWriter: DatabaseReader {
  /// Writes on the calling thread, in a transaction, and returns what the closure returns.
  ///
  ///     try pool.write { db in
  ///       try db.execute(sql: "UPDATE item SET price = price + 1")
  ///     }
  ///     // BEGIN IMMEDIATE; UPDATE item SET price = price + 1; COMMIT
  ///
  /// The transaction is committed when the closure returns, and rolled back when it throws. One
  /// write runs at a time.
  ///
  /// - Precondition: The calling thread is not in a write to the same database already.
  /// - Throws: What `updates` throws, or ``DatabaseError``: then nothing was written.
  func write<Value>(_ updates: (Database) throws -> Value) throws -> Value

  /// Writes in a transaction without blocking the calling thread.
  ///
  /// The closure runs as in the sync `write`, on a thread of its own. Cancelling the task
  /// interrupts its SQL and rolls back; cancelled after the commit, the write returns its result.
  ///
  /// - Throws: What `updates` throws, ``DatabaseError``, or `CancellationError`: then nothing was
  ///   written.
  func write<Value: Sendable>(
    _ updates: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value

  /// Writes on the calling thread without a transaction of its own: each statement is one, unless
  /// the closure begins one. A transaction that it leaves open is rolled back.
  ///
  /// - Precondition: The calling thread is not in a write to the same database already.
  /// - Throws: What `updates` throws, or ``DatabaseError``.
  func writeWithoutTransaction<Value>(_ updates: (Database) throws -> Value) throws -> Value
}
