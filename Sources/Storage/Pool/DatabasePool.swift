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
/// Reads do not wait for writes, nor writes for reads. A pool is shared by all threads and tasks of
/// the process; several pools on one file tell each other of their commits.
///
/// With ``Configuration/readonly``, the pool watches a file of whatever journal mode: it never
/// writes it, and holds no lock on it between accesses.
public final class DatabasePool: DatabaseWriter, ObservableWriter {
  let core: DatabaseCore

  /// Opens a file, which is created when it does not exist, and changes it to WAL mode.
  ///
  /// The directory of the file must exist, as SQLite creates none, and be writable, because the WAL is
  /// two files beside the database.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_CANTOPEN` when the file cannot be opened or created
  ///   (its directory must exist), with `SQLITE_NOTADB` when it is something else, or what the
  ///   closures of ``Configuration/prepareDatabase(_:)`` throw.
  public convenience init(path: String, configuration: Configuration = Configuration()) throws {
    try self.init(.file(path), configuration: configuration)
  }

  /// Opens a database that is named in another way than by its path.
  ///
  ///     try DatabasePool(.uri("shop.sqlite", parameters: [.vfs("unix-excl")]))
  ///
  /// - Throws: What ``init(path:configuration:)`` throws. Only files can be in WAL mode.
  public init(_ location: DatabaseLocation, configuration: Configuration = Configuration()) throws {
    core = try DatabaseCore(location, configuration: configuration, sharing: .pool)
  }

  /// Writes in a transaction that the closure ends, and whose kind is chosen.
  ///
  ///     try pool.writeInTransaction(.exclusive) { db in
  ///       try db.execute(sql: "DELETE FROM item")
  ///       return .commit
  ///     }
  ///
  /// - Precondition: The calling thread is not in a write to the same database already.
  /// - Throws: What ``Database/inTransaction(_:_:)`` throws.
  public func writeInTransaction(
    _ kind: Database.TransactionKind? = nil,
    _ updates: (Database) throws -> Database.TransactionCompletion
  ) throws {
    try writeWithoutTransaction { db in try db.inTransaction(kind) { try updates(db) } }
  }

  // MARK: Snapshots

  /// Opens a snapshot of what is committed last.
  ///
  /// - Parameter name: A name for it, by which it is reported when it keeps the WAL from being emptied.
  /// - Returns: The snapshot.
  /// - Precondition: The calling thread is not in a transaction that writes.
  /// - Throws: ``DatabaseError``.
  public func makeSnapshot(named name: String? = nil) throws -> DatabaseSnapshot {
    try core.makeSnapshot(named: name)
  }

  /// Reads the state that a write has left: ``DatabaseWriter/spawnConcurrentRead(_:)`` by its earlier
  /// name.
  public func asyncConcurrentRead(
    _ value: @escaping @Sendable (Result<Database, any Error>) -> Void
  ) {
    core.spawnConcurrentRead(value)
  }

  /// Reads the state that a write has left, and gives the result to those who wait for it.
  ///
  ///     let count = try pool.writeWithoutTransaction { db in
  ///       try db.inTransaction { …; return .commit }
  ///       return pool.concurrentRead { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM item") }
  ///     }
  ///     // Other writes may run now.
  ///     print(try count.wait())
  ///
  /// - Precondition: The calling thread is in a write, and not in a transaction.
  public func concurrentRead<Value: Sendable>(
    _ value: @escaping @Sendable (Database) throws -> Value
  ) -> DatabaseFuture<Value> {
    core.concurrentRead(value)
  }

  // MARK: Memory

  /// Gives back memory: waits for the accesses that run, and closes the readers, unless
  /// ``Configuration/persistentReadOnlyConnections`` is set.
  ///
  /// - Precondition: The calling thread is in no access to the pool.
  public func releaseMemory() { core.releaseMemory() }

  /// Gives back memory on another thread: see ``releaseMemory()``.
  public func releaseMemoryEventually() { core.releaseMemoryEventually() }
}
