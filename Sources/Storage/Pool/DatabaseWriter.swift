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

  /// Writes in a transaction without blocking the calling thread, for code that is not async.
  ///
  /// - Parameters:
  ///   - updates: Called on a thread of its own.
  ///   - completion: Called after the transaction, in the same access, with its result. When there was
  ///     no access, because the database is closed for one, it is given an empty database in memory.
  func asyncWrite<Value: Sendable>(
    _ updates: @escaping @Sendable (Database) throws -> Value,
    completion: @escaping @Sendable (Database, Result<Value, any Error>) -> Void
  )

  /// Writes on the calling thread without a transaction of its own: each statement is one, unless
  /// the closure begins one.
  ///
  /// - Precondition: The calling thread is not in a write to the same database already.
  /// - Throws: What `updates` throws, or ``DatabaseError``: with `SQLITE_MISUSE` when the closure leaves a
  ///   transaction open, which is rolled back, unless ``Configuration/allowsUnsafeTransactions`` is set.
  func writeWithoutTransaction<Value>(_ updates: (Database) throws -> Value) throws -> Value

  /// Writes without a transaction, and without blocking the calling thread.
  ///
  /// Cancelling the task interrupts its SQL. What was committed before stays.
  ///
  /// - Throws: What `updates` throws, ``DatabaseError``, or `CancellationError`.
  func writeWithoutTransaction<Value: Sendable>(
    _ updates: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value

  /// Writes without a transaction, for code that is not async.
  ///
  /// - Parameter updates: Called on a thread of its own, with the connection, or with the error of a
  ///   database that is closed or cannot be written. A transaction that it leaves open is rolled back.
  func asyncWriteWithoutTransaction(
    _ updates: @escaping @Sendable (Result<Database, any Error>) -> Void
  )

  /// Writes without a transaction while no read of the same pool runs: it waits for those that do, and
  /// later ones wait for it.
  ///
  /// - Precondition: The calling thread is in no access to the same database.
  /// - Throws: What `updates` throws, or ``DatabaseError``.
  func barrierWriteWithoutTransaction<Value>(
    _ updates: (Database) throws -> Value
  ) throws -> Value

  /// Writes while no read of the same pool runs, without blocking the calling thread.
  ///
  /// - Throws: What `updates` throws, ``DatabaseError``, or `CancellationError`.
  func barrierWriteWithoutTransaction<Value: Sendable>(
    _ updates: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value

  /// Writes while no read of the same pool runs, for code that is not async.
  ///
  /// - Parameter updates: Called on a thread of its own.
  func asyncBarrierWriteWithoutTransaction(
    _ updates: @escaping @Sendable (Result<Database, any Error>) -> Void
  )

  /// Writes on the calling thread without a transaction, in the write that this thread is in where there
  /// is one.
  ///
  /// - Throws: What `updates` throws, or ``DatabaseError``.
  func unsafeReentrantWrite<Value>(_ updates: (Database) throws -> Value) throws -> Value

  /// Reads the state that a write has left, beside the writes that come after it.
  ///
  ///     try pool.writeWithoutTransaction { db in
  ///       try db.inTransaction { …; return .commit }
  ///       pool.spawnConcurrentRead { db in
  ///         // sees what the transaction has committed, and nothing that is committed later
  ///       }
  ///     }
  ///
  /// It returns as soon as a reader has that state; a ``DatabaseQueue``, which has no readers, when the
  /// closure has returned.
  ///
  /// - Parameter value: Called on a thread of its own.
  /// - Precondition: The calling thread is in a write, and not in a transaction.
  func spawnConcurrentRead(_ value: @escaping @Sendable (Result<Database, any Error>) -> Void)
}

extension DatabaseWriter {
  /// Moves what was committed from the WAL into the database file: see ``Database/checkpoint(_:on:)``.
  ///
  /// - Returns: What was achieved. Reads that run keep `full` and the modes beyond it from being done;
  ///   they wait as long as ``Configuration/busyMode`` says.
  /// - Throws: ``DatabaseError``.
  @discardableResult
  public func checkpoint(
    _ mode: Database.CheckpointMode = .passive,
    on schema: String = "main"
  ) throws -> Database.CheckpointResult {
    try writeWithoutTransaction { db in try db.checkpoint(mode, on: schema) }
  }
}
