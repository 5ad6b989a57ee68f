/// A database to write to: a ``DatabasePool`` or a ``DatabaseQueue``.
///
/// A database that was opened with ``Configuration/readonly`` can be read through all methods.
/// Statements that write fail with `SQLITE_READONLY`.
public protocol DatabaseWriter: DatabaseReader {
  /// Writes on the calling thread, in a transaction, and returns the result of the closure.
  ///
  ///     try pool.write { db in
  ///       try db.execute(sql: "UPDATE item SET price = price + 1")
  ///     }
  ///     // BEGIN IMMEDIATE; UPDATE item SET price = price + 1; COMMIT
  ///
  /// The transaction is committed when the closure returns, and rolled back when it throws. Writes
  /// run one at a time.
  ///
  /// - Throws: The errors of `updates`, or ``DatabaseError``. Nothing was written then, unless the
  ///   code is `SQLITE_READONLY_DBMOVED`: then the file was moved, removed or replaced, and the
  ///   message says whether the write may be in the file that was moved. The code is
  ///   `SQLITE_MISUSE` when the calling thread is in a write to the same database already.
  func write<Value>(_ updates: (Database) throws -> Value) throws -> Value

  /// Writes in a transaction without blocking the calling thread.
  ///
  /// The closure runs as in the sync `write`, on another thread, as a part of the calling task: it
  /// sees the task's local values, its priority and its cancellation. Cancelling the task stops the
  /// SQL and rolls back. A write that is cancelled after its commit returns its result.
  ///
  /// - Throws: The errors of `updates`, ``DatabaseError``, or `CancellationError`. Nothing was
  ///   written then.
  func write<Value: Sendable>(
    _ updates: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value

  /// Writes in a transaction without blocking the calling thread, for code that is not async.
  ///
  /// - Parameters:
  ///   - updates: Called on another thread, in a new task with the local values and the priority of
  ///     the calling one.
  ///   - completion: Called after the transaction, in the same access, with the result. When the
  ///     access failed, for instance because the database is closed, all statements of the
  ///     connection that it receives fail with that error.
  func asyncWrite<Value: Sendable>(
    _ updates: @escaping @Sendable (Database) throws -> Value,
    completion: @escaping @Sendable (Database, Result<Value, any Error>) -> Void
  )

  /// Writes on the calling thread without beginning a transaction.
  ///
  /// Each statement is a transaction, unless the closure begins one.
  ///
  /// - Throws: The errors of `updates`, or ``DatabaseError``. The code is `SQLITE_MISUSE` when the
  ///   closure leaves a transaction open, which is rolled back, unless
  ///   ``Configuration/allowsUnsafeTransactions`` is set, and when the calling thread is in a write
  ///   to the same database already.
  func writeWithoutTransaction<Value>(_ updates: (Database) throws -> Value) throws -> Value

  /// Writes without a transaction, and without blocking the calling thread.
  ///
  /// Cancelling the task interrupts its SQL. Earlier commits of the closure stay. An access that is
  /// cancelled after its closure has returned returns the result.
  ///
  /// - Throws: The errors of `updates`, ``DatabaseError``, or `CancellationError`.
  func writeWithoutTransaction<Value: Sendable>(
    _ updates: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value

  /// Writes without a transaction, for code that is not async.
  ///
  /// - Parameter updates: Called on another thread with the connection, or with the error of a
  ///   database that is closed. A transaction that it leaves open is rolled back.
  @_disfavoredOverload
  func asyncWriteWithoutTransaction(
    _ updates: @escaping @Sendable (Result<Database, any Error>) -> Void
  )

  /// Writes without a transaction while no read of the same pool runs.
  ///
  /// It waits for the running reads, and later reads wait for it.
  ///
  /// - Throws: The errors of `updates`, or ``DatabaseError``. The code is `SQLITE_MISUSE` when the
  ///   calling thread is in an access to the same database.
  func barrierWriteWithoutTransaction<Value>(
    _ updates: (Database) throws -> Value
  ) throws -> Value

  /// Writes while no read of the same pool runs, without blocking the calling thread.
  ///
  /// - Throws: The errors of `updates`, ``DatabaseError``, or `CancellationError`.
  func barrierWriteWithoutTransaction<Value: Sendable>(
    _ updates: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value

  /// Writes while no read of the same pool runs, for code that is not async.
  ///
  /// - Parameter updates: Called on another thread.
  func asyncBarrierWriteWithoutTransaction(
    _ updates: @escaping @Sendable (Result<Database, any Error>) -> Void
  )

  /// Writes on the calling thread: inside the write that this thread is in, if there is one, and
  /// otherwise like `writeWithoutTransaction`.
  ///
  /// - Throws: The errors of `updates`, or ``DatabaseError``.
  func unsafeReentrantWrite<Value>(_ updates: (Database) throws -> Value) throws -> Value

  /// Reads the state after the commits of the current write, while later writes can run.
  ///
  ///     try pool.writeWithoutTransaction { db in
  ///       try db.inTransaction { …; return .commit }
  ///       pool.spawnConcurrentRead { db in
  ///         // sees the commit of the transaction, and no later one
  ///       }
  ///     }
  ///
  /// It returns as soon as a reader has that state. A ``DatabaseQueue`` has no readers: there it
  /// returns when the closure has returned.
  ///
  /// - Parameter value: Called on another thread; in a ``DatabaseQueue``, on the calling one.
  /// The closure gets an error with `SQLITE_MISUSE` when the calling thread is not in a write, or
  /// is in a transaction.
  func spawnConcurrentRead(_ value: @escaping @Sendable (Result<Database, any Error>) -> Void)
}

extension DatabaseWriter {
  /// Copies the commits in the WAL into the database file: see ``Database/checkpoint(_:on:)``.
  ///
  /// - Returns: The result. Running reads keep `full` and the stronger modes from finishing, after
  ///   these have waited as long as ``Configuration/busyMode`` allows.
  /// - Throws: ``DatabaseError``.
  @discardableResult
  public func checkpoint(
    _ mode: Database.CheckpointMode = .passive,
    on schema: String = "main"
  ) throws -> Database.CheckpointResult {
    try writeWithoutTransaction { db in try db.checkpoint(mode, on: schema) }
  }
}

/// A type-erased ``DatabaseWriter``.
public final class AnyDatabaseWriter: DatabaseWriter, ObservableWriter {
  let core: DatabaseCore

  /// Makes a writer that reads and writes through `base`.
  public init(_ base: some DatabaseWriter) {
    core = base.observableCore
  }
}
