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
public final class DatabasePool: DatabaseWriter {
  let core: DatabaseCore

  /// Opens a file, which is created when it does not exist, and changes it to WAL mode.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_CANTOPEN` when the file cannot be opened or created
  ///   (its directory must exist), with `SQLITE_NOTADB` when it is something else, or what the
  ///   closures of ``Configuration/prepareDatabase(_:)`` throw.
  public init(path: String, configuration: Configuration = Configuration()) throws {
    core = try DatabaseCore(path: path, configuration: configuration, sharing: .pool)
  }

  // What follows is documented with the protocols.
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public var configuration: Configuration { core.configuration }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public var path: String { core.path }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public func read<Value>(_ value: (Database) throws -> Value) throws -> Value {
    try core.read(value)
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public func read<Value: Sendable>(
    _ value: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await core.read(value)
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public func write<Value>(_ updates: (Database) throws -> Value) throws -> Value {
    try core.write(updates)
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public func write<Value: Sendable>(
    _ updates: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await core.write(updates)
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public func writeWithoutTransaction<Value>(
    _ updates: (Database) throws -> Value
  ) throws -> Value {
    try core.writeWithoutTransaction(updates)
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public func close() throws { core.close() }
}

extension DatabasePool: ObservableReader {}
