/// A SQLite database with one connection, which reads and writes: a file or a database in memory.
///
///     let queue = try DatabaseQueue()
///     try queue.write { db in
///       try db.execute(sql: "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)")
///     }
///
/// Accesses run one at a time, in the order of their requests. Use a ``DatabasePool`` for a file
/// that is read and written at the same time.
///
/// Open a database that is bundled with a program with ``Configuration/readonly``. To write, copy
/// the file to a directory that the program may write to, or open
/// ``inMemoryCopy(fromPath:configuration:)``.
///
///     var configuration = Configuration()
///     configuration.readonly = true
///     let path = Bundle.module.path(forResource: "countries", ofType: "sqlite")!
///     let countries = try DatabaseQueue(path: path, configuration: configuration)
public final class DatabaseQueue: DatabaseWriter, ObservableWriter {
  let core: DatabaseCore

  /// Opens a file, and creates it if it does not exist.
  ///
  /// The journal mode of the file does not change, unless ``Configuration/journalMode`` is set. The
  /// directory of the file must exist, because SQLite does not create it.
  ///
  ///     let manager = FileManager.default
  ///     try manager.createDirectory(atPath: directory, withIntermediateDirectories: true)
  ///     let queue = try DatabaseQueue(path: directory + "/shop.sqlite")
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_CANTOPEN` when the file cannot be opened or created
  ///   (its directory must exist), with `SQLITE_NOTADB` when it is not a SQLite database, or the
  ///   errors of the closures of ``Configuration/prepareDatabase(_:)``.
  public convenience init(path: String, configuration: Configuration = Configuration()) throws {
    try self.init(.file(path), configuration: configuration)
  }

  /// Opens a database at a location, such as a temporary file or a URI.
  ///
  ///     try DatabaseQueue(.temporary)
  ///     try DatabaseQueue(.uri("geo.sqlite", parameters: [.immutable(true), .mode(.readOnly)]))
  ///
  /// - Throws: The errors of ``init(path:configuration:)``.
  public init(_ location: DatabaseLocation, configuration: Configuration = Configuration()) throws {
    core = try DatabaseCore(location, configuration: configuration, sharing: .queue)
  }

  /// Opens a named database in memory.
  ///
  /// All queues of the process with the same name share one database, and see each other's commits.
  /// The database is deleted when the last of these queues is closed.
  ///
  /// - Parameters:
  ///   - name: The name; `nil` for a database that only this queue uses.
  ///   - configuration: How to open it.
  /// - Throws: The errors of the closures of ``Configuration/prepareDatabase(_:)``.
  public convenience init(
    named name: String?,
    configuration: Configuration = Configuration()
  ) throws {
    try self.init(name.map { .inMemory(named: $0) } ?? .inMemory, configuration: configuration)
  }

  /// Opens a new database in memory, which is deleted when the queue is closed.
  ///
  /// - Throws: The errors of the closures of ``Configuration/prepareDatabase(_:)``.
  public convenience init(configuration: Configuration = Configuration()) throws {
    try self.init(path: ":memory:", configuration: configuration)
  }

  // MARK: Copies

  /// Opens a database in memory with the content of a file, which does not change.
  ///
  /// - Throws: ``DatabaseError`` when the file cannot be read.
  public static func inMemoryCopy(
    fromPath path: String,
    configuration: Configuration = Configuration()
  ) throws -> DatabaseQueue {
    try copy(ofPath: path, to: .inMemory, configuration)
  }

  /// Opens a temporary file with the content of another file, which does not change.
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
    // A copy that is read-only gets its content once, here.
    try copy.core.writers?.access(.write) { to in
      try source.unsafeRead { from in try from.backup(to: to) }
    }
    try source.close()
    return copy
  }

  // MARK: One connection

  /// Runs a closure on the connection without a transaction: another name of
  /// `writeWithoutTransaction`.
  ///
  /// - Throws: The errors of `writeWithoutTransaction`.
  public func inDatabase<Value>(_ updates: (Database) throws -> Value) throws -> Value {
    try writeWithoutTransaction(updates)
  }

  /// Runs a closure that throws nothing on the connection, without a transaction.
  ///
  ///     let changes = queue.inDatabase { db in db.totalChangesCount }
  ///
  /// When the database is closed, all statements of the closure fail with
  /// ``DatabaseError/databaseIsClosed``. Inside another access to the queue, they fail with
  /// `SQLITE_MISUSE`. A transaction that the closure leaves open is rolled back, and reported to
  /// ``Database/logError``.
  public func inDatabase<Value>(_ updates: (Database) -> Value) -> Value {
    var value: Value?
    do {
      try writeWithoutTransaction { db in value = updates(db) }
    } catch {
      if value == nil { return Database.withRefusingDatabase(error, updates) }
      ErrorLog.report(error, source: core.location.path)
    }
    return value!
  }

  /// Writes in a transaction of the given kind, which the closure commits or rolls back.
  ///
  ///     try queue.inTransaction(.deferred) { db in
  ///       try db.execute(sql: "DELETE FROM item")
  ///       return .commit
  ///     }
  ///
  /// - Throws: The errors of ``Database/inTransaction(_:_:)``.
  public func inTransaction(
    _ kind: Database.TransactionKind? = nil,
    _ updates: (Database) throws -> Database.TransactionCompletion
  ) throws {
    try writeWithoutTransaction { db in try db.inTransaction(kind) { try updates(db) } }
  }

  // MARK: Memory

  /// Releases memory once the running accesses have ended.
  ///
  /// Inside an access to the queue, it acts like ``releaseMemoryEventually()``.
  public func releaseMemory() { core.releaseMemory() }

  /// Releases memory on another thread, once the running accesses have ended.
  public func releaseMemoryEventually() { core.releaseMemoryEventually() }
}
