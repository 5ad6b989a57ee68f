/// A SQLite database with one connection, which reads and writes: a file or a database in memory.
///
///     let queue = try DatabaseQueue()
///     try queue.write { db in
///       try db.execute(sql: "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)")
///     }
///
/// Accesses run one at a time, in the order in which they were asked for. Use a ``DatabasePool`` for a
/// file that is read and written at the same time.
public final class DatabaseQueue: DatabaseWriter {
  let core: DatabaseCore

  /// Opens a file, which is created when it does not exist. Its journal mode stays as it is, unless
  /// ``Configuration/journalMode`` says otherwise.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_CANTOPEN` when the file cannot be opened or created
  ///   (its directory must exist), with `SQLITE_NOTADB` when it is something else, or what the
  ///   closures of ``Configuration/prepareDatabase(_:)`` throw.
  public init(path: String, configuration: Configuration = Configuration()) throws {
    core = try DatabaseCore(path: path, configuration: configuration, sharing: .queue)
  }

  /// Opens a new database in memory, which vanishes with the queue.
  ///
  /// - Throws: What the closures of ``Configuration/prepareDatabase(_:)`` throw.
  public convenience init(configuration: Configuration = Configuration()) throws {
    try self.init(path: ":memory:", configuration: configuration)
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

extension DatabaseQueue: ObservableReader {}
