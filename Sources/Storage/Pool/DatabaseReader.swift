/// Something to read from: a ``DatabasePool``, a ``DatabaseQueue``, or a ``DatabaseSnapshot``.
///
/// All can be shared by all threads and tasks. Only types of this library conform.
public protocol DatabaseReader: AnyObject, Sendable {
  /// How the connections were opened.
  var configuration: Configuration { get }

  /// The path that was opened.
  var path: String { get }

  /// Reads on the calling thread, and returns what the closure returns.
  ///
  ///     let count = try pool.read { db in
  ///       try Int.fetchOne(db, sql: "SELECT count(*) FROM item")
  ///     }
  ///
  /// The closure runs in a transaction (`BEGIN DEFERRED`), so that all of its reads see one state of
  /// the database. Statements that write are refused with `SQLITE_READONLY`.
  ///
  /// - Precondition: The calling thread is not in an access to the same connections already.
  /// - Throws: What `value` throws, or ``DatabaseError``.
  func read<Value>(_ value: (Database) throws -> Value) throws -> Value

  /// Reads without blocking the calling thread, and returns what the closure returns.
  ///
  /// The closure runs as in the sync `read`, on a thread of its own. Cancelling the
  /// task interrupts its SQL.
  ///
  /// - Throws: What `value` throws, ``DatabaseError``, or `CancellationError`.
  func read<Value: Sendable>(
    _ value: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value

  /// Reads without blocking the calling thread, for code that is not async.
  ///
  /// - Parameter value: Called on a thread of its own, in a transaction as that of `read`, or with the
  ///   error that keeps it from being one.
  func asyncRead(_ value: @escaping @Sendable (Result<Database, any Error>) -> Void)

  /// Reads on the calling thread without a transaction: each statement sees what is committed by then.
  ///
  /// - Precondition: The calling thread is not in an access to the same connections already.
  /// - Throws: What `value` throws, or ``DatabaseError``.
  func unsafeRead<Value>(_ value: (Database) throws -> Value) throws -> Value

  /// Reads without a transaction, and without blocking the calling thread.
  ///
  /// - Throws: What `value` throws, ``DatabaseError``, or `CancellationError`.
  func unsafeRead<Value: Sendable>(
    _ value: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value

  /// Reads without a transaction, for code that is not async.
  ///
  /// - Parameter value: Called on a thread of its own.
  func asyncUnsafeRead(_ value: @escaping @Sendable (Result<Database, any Error>) -> Void)

  /// Reads on the calling thread, in the access that this thread is in where there is one, and otherwise
  /// as `unsafeRead` does.
  ///
  /// In a pool, a read inside of a write does not see what the write has not committed.
  ///
  /// - Throws: What `value` throws, or ``DatabaseError``.
  func unsafeReentrantRead<Value>(_ value: (Database) throws -> Value) throws -> Value

  /// Stops the statements that run on any of the connections: they fail with `SQLITE_INTERRUPT`, and a
  /// transaction that writes is rolled back.
  ///
  /// Statements that begin later are not stopped.
  func interrupt()

  /// Closes all connections, after the accesses that run have ended. Accesses that come later fail.
  ///
  /// Observations end: sequences finish.
  ///
  /// - Precondition: The calling thread is not in an access to the same connections.
  /// - Throws: ``DatabaseError`` with `SQLITE_BUSY` when someone still holds a ``Statement`` or a cursor,
  ///   or something that was made through the raw connection: its message says what. That connection is
  ///   then closed by the next call, once these are released.
  func close() throws
}
