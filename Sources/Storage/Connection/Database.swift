internal import CWellspringSQLite
internal import Foundation
internal import Synchronization
internal import WellspringPlatform

/// A connection to a database, inside of an access.
///
///     try await pool.write { db in
///       try db.execute(sql: "UPDATE item SET price = price + 1")
///     }
///
/// A `Database` is valid in the closure that provides it, on the thread that runs the closure. It
/// must not leave the closure: use `read` of ``DatabaseReader`` and `write` of
/// ``DatabaseWriter`` wherever a connection is needed.
public final class Database {
  /// SQLite's connection, for calls that this library does not wrap.
  ///
  /// Changes that are made through it are observed like all others. Do not install another
  /// authorizer, commit, rollback, preupdate or WAL hook, progress or busy handler on it, and do not close it.
  public private(set) var sqliteConnection: OpaquePointer

  /// How the connection was opened.
  public let configuration: Configuration

  /// The path of the file, `:memory:`, or an empty string for a temporary file.
  public let path: String

  /// What was opened.
  let location: DatabaseLocation
  let role: Role
  /// Where the connection may be used.
  let process = ProcessIdentity()
  let authorizer = Authorizer()
  let cancellation = Cancellation()

  // One thread at a time uses a connection, so that exclusive access need not be checked at run time.

  /// What the observation engine is told. Set once, before the first access.
  @exclusivity(unchecked) var hooks: (any ConnectionHooks)?

  /// Set by the commit hook, until ``ConnectionHooks/commitMayHaveEnded()``.
  @exclusivity(unchecked) var commitHookDidFire = false

  /// Whether ``ConnectionHooks/statementWillWrite(_:)`` is called.
  var notesWrites = false

  /// Set when ``ConnectionHooks/statementDidEnd(undone:)`` has something to do.
  var hasObserverNews = false

  /// Collects what the running fetch of an observation reads.
  @exclusivity(unchecked) var regionRecorder: RegionRecorder?

  /// What the observation engine knows of the schema.
  var regionSchema: RegionSchema?

  /// Reads the version numbers of the file.
  let pragmas: HeaderPragmas

  /// The tables that were looked up.
  var schemaCache = SchemaCache()

  /// The statements that begin and end transactions.
  @exclusivity(unchecked) var transactionStatements = TransactionStatements()

  /// The statements that insert records.
  let insertionPlans = InsertionPlans()

  /// How many transactions of ``withTransaction(_:willCommit:_:)`` are open: 0 or 1.
  @exclusivity(unchecked) var openTransactions = 0
  /// Whether SQLite has rolled that transaction back by itself, because of an error.
  @exclusivity(unchecked) var transactionWasUndone = false

  /// Those who wait for the end of the transaction, while there are any.
  @exclusivity(unchecked) var transactionCompletions: TransactionCompletions?

  /// The date of the running transaction, once it was asked for.
  @exclusivity(unchecked) var knownTransactionDate: Date?

  /// Called with what SQLite runs, while somebody traces.
  @exclusivity(unchecked) var tracer: Tracer?

  /// Called after commits in WAL mode, in a connection that writes.
  var walHook: WALHook?

  /// Whose turn it is to checkpoint the file.
  var checkpointing = CheckpointTurn()

  /// What the running access may do.
  @exclusivity(unchecked) var access = Access.none

  let busyHandler: BusyHandler
  @exclusivity(unchecked) var statementCache: StatementCache
  @exclusivity(unchecked) var isClosed = false
  /// The statements that have been started and not been reset, in the order of their start.
  @exclusivity(unchecked) var runningStatements: [Statement] = []
  /// Statements that were released on another thread, to be finalized in the next access.
  let orphans = Lock<[UInt]>([])
  /// Whether there may be orphans: every access asks, and nearly none has to lock.
  let hasOrphans = Atomic<Bool>(false)
  /// The thread of the running access, for the check of ``finalize(_:)``.
  @exclusivity(unchecked) var accessThread: UInt = 0

  /// What a connection is for.
  enum Role {
    /// Reads and writes.
    case writer
    /// Reads beside a writer of the same pool.
    case reader
    /// Reads a file that is only watched.
    case watcher
    /// Reads a file that is only watched, and takes no locks: see ``UnlockedReader``.
    case unlockedWatcher
    /// Stays in one read transaction from its opening to its end.
    case snapshot
  }

  /// What an access may do.
  enum Access {
    case none
    case read
    case write
  }

  convenience init(path: String, configuration: Configuration, role: Role) throws {
    try self.init(location: .file(path), configuration: configuration, role: role)
  }

  init(location: DatabaseLocation, configuration: Configuration, role: Role) throws {
    self.location = location
    path = location.path
    self.configuration = configuration
    self.role = role
    statementCache = StatementCache(capacity: configuration.statementCacheCapacity)
    busyHandler = BusyHandler(mode: configuration.busyMode, cancellation: cancellation)
    sqliteConnection = try Database.open(location, role: role)
    pragmas = HeaderPragmas(connection: sqliteConnection)
    do {
      busyHandler.install(on: sqliteConnection)
      cancellation.install(on: sqliteConnection)
      authorizer.install(on: sqliteConnection)
      beginAccess(.write)
      try setUp()
      endAccess()
    } catch {
      close()
      throw error
    }
  }

  deinit {
    close()
  }

  /// Closes the connection. Statements that someone still holds keep it half open until they go, which
  /// the error log is told.
  func close() {
    guard !tryToClose() else { return }
    isClosed = true
    ErrorLog.report(.SQLITE_BUSY, unclosedReport)
    sqlite3_close_v2(sqliteConnection)
  }

  /// Closes the connection unless someone still holds statements of it.
  ///
  /// - Returns: Whether it is closed.
  func tryToClose() -> Bool {
    guard !isClosed else { return true }
    // To close what belongs to the parent process would end its transactions.
    guard process.isCurrent else { return true }
    hooks?.connectionWillClose()
    releaseStatements()
    pragmas.close()
    finalizeOrphans()
    isClosed = sqlite3_close(sqliteConnection) == SQLITE_OK
    return isClosed
  }

  /// Says what keeps the connection from being closed.
  var unclosedReport: String {
    var held: [String] = []
    var statement = sqlite3_next_stmt(sqliteConnection, nil)
    while let current = statement {
      held.append(sqlite3_sql(current).map { String(cString: $0) } ?? "?")
      statement = sqlite3_next_stmt(sqliteConnection, current)
    }
    let what =
      held.isEmpty
      ? "a BLOB handle or a backup of the raw connection is still open"
      : "statements are still held: \(held.joined(separator: "; "))"
    return "\(path) cannot be closed: \(what)"
  }

  /// Lets go of the statements that are kept for reuse.
  func releaseStatements() {
    statementCache.removeAll()
    insertionPlans.removeAll()
    transactionStatements.removeAll()
  }
}
