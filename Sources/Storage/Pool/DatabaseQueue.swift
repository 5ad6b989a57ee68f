/// A SQLite database with one connection, which reads and writes: a file or a database in memory.
///
///     let queue = try DatabaseQueue()
///     try queue.write { db in
///       try db.execute(sql: "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)")
///     }
///
/// Accesses run one at a time, in the order in which they were asked for. Use a ``DatabasePool`` for a
/// file that is read and written at the same time.
///
/// A database that comes with a program is best left alone: open it with ``Configuration/readonly``. To
/// write, copy the file to where the program may write, or open ``inMemoryCopy(fromPath:configuration:)``.
///
///     var configuration = Configuration()
///     configuration.readonly = true
///     let path = Bundle.module.path(forResource: "countries", ofType: "sqlite")!
///     let countries = try DatabaseQueue(path: path, configuration: configuration)
public final class DatabaseQueue: DatabaseWriter, ObservableWriter {
  let core: DatabaseCore

  /// Opens a file, which is created when it does not exist. Its journal mode stays as it is, unless
  /// ``Configuration/journalMode`` says otherwise.
  ///
  /// The directory of the file must exist: SQLite creates none.
  ///
  ///     try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  ///     let queue = try DatabaseQueue(path: directory + "/shop.sqlite")
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_CANTOPEN` when the file cannot be opened or created
  ///   (its directory must exist), with `SQLITE_NOTADB` when it is something else, or what the
  ///   closures of ``Configuration/prepareDatabase(_:)`` throw.
  public convenience init(path: String, configuration: Configuration = Configuration()) throws {
    try self.init(.file(path), configuration: configuration)
  }

  /// Opens a database that is named in another way than by its path.
  ///
  ///     try DatabaseQueue(.temporary)
  ///     try DatabaseQueue(.uri("geo.sqlite", parameters: [.immutable(true), .mode(.readOnly)]))
  ///
  /// - Throws: What ``init(path:configuration:)`` throws.
  public init(_ location: DatabaseLocation, configuration: Configuration = Configuration()) throws {
    core = try DatabaseCore(location, configuration: configuration, sharing: .queue)
  }

  /// Opens the database in memory with this name, which all queues of the process share that are open
  /// on it: they see each other's commits. It vanishes with the last of them.
  ///
  /// - Parameters:
  ///   - name: `nil` stands for a database of this queue alone.
  ///   - configuration: How to open it.
  /// - Throws: What the closures of ``Configuration/prepareDatabase(_:)`` throw.
  public convenience init(
    named name: String?,
    configuration: Configuration = Configuration()
  ) throws {
    try self.init(name.map { .inMemory(named: $0) } ?? .inMemory, configuration: configuration)
  }

  /// Opens a new database in memory, which vanishes with the queue.
  ///
  /// - Throws: What the closures of ``Configuration/prepareDatabase(_:)`` throw.
  public convenience init(configuration: Configuration = Configuration()) throws {
    try self.init(path: ":memory:", configuration: configuration)
  }

  // MARK: Copies

  /// Opens a database in memory with the content of a file, which is left as it is.
  ///
  /// - Throws: ``DatabaseError`` when the file cannot be read.
  public static func inMemoryCopy(
    fromPath path: String,
    configuration: Configuration = Configuration()
  ) throws -> DatabaseQueue {
    try copy(ofPath: path, to: .inMemory, configuration)
  }

  /// Opens a temporary file with the content of another one, which is left as it is.
  ///
  /// - Throws: ``DatabaseError`` when the file cannot be read, or the disk is full.
  public static func temporaryCopy(
    fromPath path: String,
    configuration: Configuration = Configuration()
  ) throws -> DatabaseQueue {
    try copy(ofPath: path, to: .temporary, configuration)
  }

  private static func copy(
    ofPath path: String,
    to location: DatabaseLocation,
    _ configuration: Configuration
  ) throws -> DatabaseQueue {
    var sourceConfiguration = Configuration()
    sourceConfiguration.readonly = true
    sourceConfiguration.busyMode = configuration.busyMode
    let source = try DatabaseQueue(path: path, configuration: sourceConfiguration)
    let copy = try DatabaseQueue(location, configuration: configuration)
    try source.backup(to: copy)
    try source.close()
    return copy
  }

  // MARK: One connection

  /// Runs a closure on the connection without a transaction: `writeWithoutTransaction` by the name that
  /// it has where there is one connection only.
  ///
  /// - Precondition: The calling thread is not in an access to the queue already.
  /// - Throws: What `writeWithoutTransaction` throws.
  public func inDatabase<Value>(_ updates: (Database) throws -> Value) throws -> Value {
    try writeWithoutTransaction(updates)
  }

  /// Writes in a transaction that the closure ends, and whose kind is chosen.
  ///
  ///     try queue.inTransaction(.deferred) { db in
  ///       try db.execute(sql: "DELETE FROM item")
  ///       return .commit
  ///     }
  ///
  /// - Precondition: The calling thread is not in an access to the queue already.
  /// - Throws: What ``Database/inTransaction(_:_:)`` throws.
  public func inTransaction(
    _ kind: Database.TransactionKind? = nil,
    _ updates: (Database) throws -> Database.TransactionCompletion
  ) throws {
    try writeWithoutTransaction { db in try db.inTransaction(kind) { try updates(db) } }
  }

  // MARK: Memory

  /// Gives back memory, after the accesses that run.
  ///
  /// - Precondition: The calling thread is in no access to the queue.
  public func releaseMemory() { core.releaseMemory() }

  /// Gives back memory on another thread, after the accesses that run.
  public func releaseMemoryEventually() { core.releaseMemoryEventually() }
}
