/// A database to read from: a ``DatabasePool``, a ``DatabaseQueue``, or a ``DatabaseSnapshot``.
///
/// Threads and tasks can share a reader. Only types of this library conform.
public protocol DatabaseReader: AnyObject, Sendable {
  /// The configuration of the connections.
  var configuration: Configuration { get }

  /// The path of the database; `:memory:` for a database in memory.
  var path: String { get }

  /// Reads on the calling thread, and returns the result of the closure.
  ///
  ///     let count = try pool.read { db in
  ///       try Int.fetchOne(db, sql: "SELECT count(*) FROM item")
  ///     }
  ///
  /// The closure runs in a transaction (`BEGIN DEFERRED`), so that all of its reads see one state
  /// of the database: the one at the beginning of the access, even if the closure reads later.
  /// Statements that write fail with `SQLITE_READONLY`.
  ///
  /// - Throws: The errors of `value`, or ``DatabaseError``. The code is `SQLITE_MISUSE` when the
  ///   calling thread is in an access to the same connections already.
  func read<Value>(_ value: (Database) throws -> Value) throws -> Value

  /// Reads without blocking the calling thread, and returns the result of the closure.
  ///
  /// The closure runs as in the sync `read`, on another thread, as a part of the calling task: it
  /// sees the task's local values, its priority and its cancellation. Cancelling the task stops the
  /// SQL. A read that is cancelled after its closure has returned returns the result.
  ///
  /// - Throws: The errors of `value`, ``DatabaseError``, or `CancellationError`.
  func read<Value: Sendable>(
    _ value: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value

  /// Reads without blocking the calling thread, for code that is not async.
  ///
  /// - Parameter value: Called on another thread: in a transaction like in `read`, or with the
  ///   error that prevented the transaction. It runs in a new task, with the local values and the
  ///   priority of the calling one.
  func asyncRead(_ value: @escaping @Sendable (Result<Database, any Error>) -> Void)

  /// Reads on the calling thread without a transaction: each statement sees the last commit.
  ///
  /// - Throws: The errors of `value`, or ``DatabaseError``. The code is `SQLITE_MISUSE` when the
  ///   calling thread is in an access to the same connections already.
  func unsafeRead<Value>(_ value: (Database) throws -> Value) throws -> Value

  /// Reads without a transaction, and without blocking the calling thread.
  ///
  /// - Throws: The errors of `value`, ``DatabaseError``, or `CancellationError`.
  func unsafeRead<Value: Sendable>(
    _ value: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value

  /// Reads without a transaction, for code that is not async.
  ///
  /// - Parameter value: Called on another thread.
  func asyncUnsafeRead(_ value: @escaping @Sendable (Result<Database, any Error>) -> Void)

  /// Reads on the calling thread: inside the access that this thread is in, if there is one, and
  /// otherwise like `unsafeRead`.
  ///
  /// Inside a write, the closure reads through the connection that writes, and sees the uncommitted
  /// changes of the write.
  ///
  /// - Throws: The errors of `value`, or ``DatabaseError``.
  func unsafeReentrantRead<Value>(_ value: (Database) throws -> Value) throws -> Value

  /// Stops the running statements of all connections.
  ///
  /// These statements fail with `SQLITE_INTERRUPT`, and a write transaction is rolled back.
  /// Statements that begin later are not stopped.
  func interrupt()

  /// Closes all connections once the running accesses have ended. Later accesses fail.
  ///
  /// Observations end, and their sequences finish.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_MISUSE` when the calling thread is in an access to
  ///   the same connections, and with `SQLITE_BUSY` when a ``Statement``, a cursor, or something
  ///   that was made through the raw connection is still held; the message names it. The next call
  ///   closes that connection, once these are released.
  func close() throws
}

/// A type-erased ``DatabaseReader``.
public final class AnyDatabaseReader: DatabaseReader, ObservableReader {
  let core: DatabaseCore
  // Kept alive, because the `deinit` of a reader may have effects, as with a snapshot.
  private let base: any DatabaseReader

  /// Makes a reader that reads through `base`.
  public init(_ base: some DatabaseReader) {
    core = base.observableCore
    self.base = base
  }
}

/// A database of another module that reads and writes through a database of this one.
///
/// Observations, and all that needs the connections, go to that database.
package protocol ForwardingReader: DatabaseReader {
  /// The database that does the work.
  var forwardingTarget: any DatabaseReader { get }
}
