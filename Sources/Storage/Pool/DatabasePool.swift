/// A SQLite file in WAL mode, with one writer and several readers.
///
///     let pool = try DatabasePool(path: "/var/lib/shop/shop.sqlite")
///     try await pool.write { db in
///       try db.execute(sql: "UPDATE item SET price = price + 1")
///     }
///     let count = try await pool.read { db in
///       try Int.fetchOne(db, sql: "SELECT count(*) FROM item")
///     }
///
/// Reads do not wait for writes, and writes do not wait for reads. All threads and tasks of the
/// process can share one pool. Several pools on one file notify each other of their commits.
///
/// With ``Configuration/readonly``, the pool watches a file in any journal mode: it never writes to
/// the file, and holds no lock on it between accesses.
public final class DatabasePool: DatabaseWriter, ObservableWriter {
  let core: DatabaseCore

  /// Opens a file in WAL mode, and creates it if it does not exist.
  ///
  /// The directory of the file must exist, because SQLite does not create it. The directory must
  /// also be writable, because the WAL consists of two files next to the database.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_CANTOPEN` when the file cannot be opened or created
  ///   (its directory must exist), with `SQLITE_NOTADB` when it is not a SQLite database, or the
  ///   errors of the closures of ``Configuration/prepareDatabase(_:)``.
  public convenience init(path: String, configuration: Configuration = Configuration()) throws {
    try self.init(.file(path), configuration: configuration)
  }

  /// Opens a database at a location, such as a URI.
  ///
  ///     try DatabasePool(.uri("shop.sqlite", parameters: [.vfs("unix-excl")]))
  ///
  /// - Throws: The errors of ``init(path:configuration:)``. Only files can be in WAL mode.
  public init(_ location: DatabaseLocation, configuration: Configuration = Configuration()) throws {
    guard location.isFile else { throw Self.noFileError(location) }
    core = try DatabaseCore(location, configuration: configuration, sharing: .pool)
  }

  /// The error of a location that has no file.
  private static func noFileError(_ location: DatabaseLocation) -> DatabaseError {
    let (problem, solution) =
      switch location {
      case .temporary: ("the path is empty", "DatabaseQueue() for a database in memory")
      case .inMemory: ("\(location.path) is not a file", "DatabaseQueue() for a database in memory")
      default: ("\(location.path) is not a file", "DatabaseQueue(_:) for this location in memory")
      }
    return DatabaseError(
      resultCode: .SQLITE_CANTOPEN,
      message: "a DatabasePool needs a file for its WAL, but \(problem): use \(solution)"
    )
  }

  /// Writes in a transaction of the given kind, which the closure commits or rolls back.
  ///
  ///     try pool.writeInTransaction(.exclusive) { db in
  ///       try db.execute(sql: "DELETE FROM item")
  ///       return .commit
  ///     }
  ///
  /// - Throws: The errors of ``Database/inTransaction(_:_:)``.
  public func writeInTransaction(
    _ kind: Database.TransactionKind? = nil,
    _ updates: (Database) throws -> Database.TransactionCompletion
  ) throws {
    try writeWithoutTransaction { db in try db.inTransaction(kind) { try updates(db) } }
  }

  /// Closes the readers, each as soon as it is idle. Later reads open new ones, which
  /// ``Configuration/prepareDatabase(_:)`` prepares again.
  public func invalidateReadOnlyConnections() { core.readers.replaceAll() }

  // MARK: Memory

  /// Releases memory: waits for the running accesses, and closes the readers unless
  /// ``Configuration/persistentReadOnlyConnections`` is set.
  ///
  /// Inside an access to the pool, it acts like ``releaseMemoryEventually()``.
  public func releaseMemory() { core.releaseMemory() }

  /// Releases memory on another thread: see ``releaseMemory()``.
  public func releaseMemoryEventually() { core.releaseMemoryEventually() }
}
