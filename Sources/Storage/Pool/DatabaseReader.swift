/// Something to read from: a ``DatabasePool`` or a ``DatabaseQueue``.
///
/// Both can be shared by all threads and tasks. Only types of this library conform.
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

  /// Closes all connections, after the accesses that run have ended. Accesses that come later fail.
  ///
  /// Observations end: sequences finish.
  ///
  /// - Precondition: The calling thread is not in an access to the same connections.
  func close() throws
}
