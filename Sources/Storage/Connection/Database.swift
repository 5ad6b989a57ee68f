internal import CWellspringSQLite
internal import FoundationEssentials
internal import Synchronization
internal import WellspringSystem

/// A connection to a database, inside an access.
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
  /// Changes that are made through it are observed like all other changes. Do not close it, and do
  /// not install another authorizer, progress handler or busy handler on it, nor another commit,
  /// rollback, preupdate or WAL hook.
  @exclusivity(unchecked) public private(set) var sqliteConnection: OpaquePointer

  /// How the connection was opened.
  public let configuration: Configuration

  /// The path of the file, `:memory:`, or an empty string for a temporary file.
  public let path: String

  /// The location that was opened.
  let location: DatabaseLocation
  let role: Role
  /// The process that opened the connection, the only one that may use it.
  let process = ProcessIdentity()
  package let authorizer = Authorizer()
  let cancellation = Cancellation()

  // One thread at a time uses a connection, so exclusive access need not be checked at run time.

  /// Why the runs of statements need more than SQLite's own calls.
  @exclusivity(unchecked) var attention = Attention()

  /// Receives the events that the observation engine needs. Set once, before the first access.
  @exclusivity(unchecked) var hooks: (any ConnectionHooks)?

  /// Whether ``ConnectionHooks/statementWillRun(_:)`` and
  /// ``ConnectionHooks/statementDidEnd(_:hasFailed:)`` are called.
  var notesWrites: Bool {
    get { attention.contains(.writes) }
    set { attention.set(.writes, newValue) }
  }

  /// Set when ``ConnectionHooks/statementDidReset(_:)`` has something to do.
  var hooksAwaitReset: Bool {
    get { attention.contains(.reset) }
    set { attention.set(.reset, newValue) }
  }

  /// Whether a commit was made that may not be in the file at its path: see
  /// ``ConnectionHooks/checkCommit()``.
  package var commitAwaitsCheck: Bool {
    get { attention.contains(.commitCheck) }
    set { attention.set(.commitCheck, newValue) }
  }

  /// Collects the regions that the running fetch of an observation reads.
  @exclusivity(unchecked) var regionRecorder: RegionRecorder? {
    didSet { attention.set(.regions, regionRecorder != nil) }
  }

  /// Answers fetches, while an observed closure runs.
  @exclusivity(unchecked) var fetchInterceptor: (any FetchInterceptor)?

  /// The schema as the observation engine knows it.
  var regionSchema: RegionSchema?

  /// Whether the texts of the file are UTF-8; `nil` before it is asked for.
  @exclusivity(unchecked) var knownStoresUTF8: Bool?

  /// Reads the version numbers of the connection's databases.
  package let versions: DatabaseVersions

  /// The transaction that is open, and how the last one ended.
  @exclusivity(unchecked) package var transactionState = TransactionState()

  /// The schema objects that were looked up.
  var schemaCache = SchemaCache()
  var catalog = TableCatalog()

  /// The statements that insert records.
  let insertionPlans = InsertionPlans()

  /// Whether SQLite has rolled that transaction back on its own, because of an error.
  var transactionWasUndone: Bool {
    get { attention.contains(.undoneTransaction) }
    set { attention.set(.undoneTransaction, newValue) }
  }

  /// The closures to call after the transaction; `nil` when no closure waits.
  @exclusivity(unchecked) var transactionCompletions: TransactionCompletions? {
    didSet { attention.set(.completions, transactionCompletions != nil) }
  }

  /// The instruments; `nil` when the database has none.
  let instrumentation: Instrumentation?

  /// The slow statements that are recorded when the access ends.
  var slowStatements: [UnexplainedStatement] = []

  /// Receives the statements that SQLite runs; `nil` when the connection is not traced.
  @exclusivity(unchecked) var tracer: Tracer?

  /// Receives commits in WAL mode; `nil` in a connection that does not write.
  var walHook: WALHook?

  /// The schema that was read to repeat recorded transactions: see `RepeatableSchema`.
  package var knownSchemaToRepeat: AnyObject?

  /// Serializes the checkpoints of all connections of this process on the file.
  var checkpointing = CheckpointTurn()

  /// The permissions of the running access; `.none` between accesses.
  @exclusivity(unchecked) var access = Access.none

  /// Why no statement can be compiled; `nil` except in a connection that replaces a database that
  /// cannot be used.
  var refusal: (any Error)?

  /// How long a statement may run, in nanoseconds; `nil` without a limit.
  let statementTimeout: UInt64?

  let busyHandler: BusyHandler
  @exclusivity(unchecked) var statementCache: StatementCache
  @exclusivity(unchecked) var isClosed = false
  /// The statements that were started and not yet reset.
  @exclusivity(unchecked) package var runningStatements = RunningStatements()
  /// Guards the statements that were released on another thread, to be finalized in the next
  /// access.
  let orphans = Lock<[UInt]>([])
  /// Whether there may be orphans. Every access reads it, so that nearly none has to lock.
  let hasOrphans = Atomic<Bool>(false)
  /// The thread of the running access; 0 between accesses.
  @exclusivity(unchecked) var accessThread: UInt = 0

  convenience init(path: String, configuration: Configuration, role: Role) throws {
    try self.init(location: .file(path), configuration: configuration, role: role)
  }

  /// Opens a connection.
  ///
  /// - Parameters:
  ///   - location: The database to open.
  ///   - configuration: How to open it.
  ///   - role: The purpose of the connection.
  ///   - didOpen: Called with SQLite's connection when the file is open and SQLite has read nothing
  ///     from it. An error ends the opening.
  /// - Throws: ``DatabaseError``, and the errors of `didOpen`.
  init(
    location: DatabaseLocation,
    configuration: Configuration,
    role: Role,
    didOpen: (_ connection: OpaquePointer) throws -> Void = { _ in }
  ) throws {
    self.location = location
    path = location.path
    self.configuration = configuration
    self.role = role
    statementCache = StatementCache(capacity: configuration.statementCacheCapacity)
    statementTimeout = configuration.statementTimeout?.wholeNanoseconds
    instrumentation = Instrumentation(configuration, path: location.path)
    attention.set(.timeLimit, statementTimeout != nil)
    attention.set(.measurement, instrumentation != nil)
    busyHandler = BusyHandler(
      mode: configuration.busyMode,
      cancellation: cancellation,
      instrumentation
    )
    sqliteConnection = try Database.open(location, role: role)
    versions = DatabaseVersions(connection: sqliteConnection, cancellation: cancellation)
    do {
      try didOpen(sqliteConnection)
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

  /// Closes the connection.
  ///
  /// When statements are still held, the error log names them, and SQLite closes the connection
  /// once they are released.
  func close() {
    guard !tryToClose() else { return }
    isClosed = true
    ErrorLog.report(.SQLITE_BUSY, unclosedReport, source: path)
    sqlite3_close_v2(sqliteConnection)
  }

  /// Closes the connection unless statements of it are still held.
  ///
  /// - Returns: Whether it is closed.
  func tryToClose() -> Bool {
    guard !isClosed else { return true }
    // Closing a connection of the parent process would end the parent's transactions.
    guard process.isCurrent else { return true }
    hooks?.connectionWillClose()
    releaseStatements()
    versions.close()
    finalizeOrphans()
    isClosed = sqlite3_close(sqliteConnection) == SQLITE_OK
    // Watchers may have waited for the last lock that they could have dropped.
    if isClosed { FileProbes.closeUnused() }
    return isClosed
  }

  /// A message that names the objects that keep the connection from being closed.
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

  /// Releases the statements that are kept for reuse.
  func releaseStatements() {
    statementCache.removeAll()
    insertionPlans.removeAll()
    transactionState.statements.removeAll()
  }
}

extension Database {
  /// Runs a closure whose statements are the library's own: they are neither added to the region of
  /// an observed fetch, nor are their results kept as results of its closure.
  ///
  /// Reads of the schema need not be part of a region: every schema change reruns all observations.
  func unrecorded<Result>(_ body: () throws -> Result) rethrows -> Result {
    let outer = (regionRecorder, fetchInterceptor)
    (regionRecorder, fetchInterceptor) = (nil, nil)
    defer { (regionRecorder, fetchInterceptor) = outer }
    return try body()
  }
}
