internal import CWellspringSQLite
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
  /// authorizer, commit, rollback, preupdate, progress or busy handler on it, and do not close it.
  public private(set) var sqliteConnection: OpaquePointer

  /// How the connection was opened.
  public let configuration: Configuration

  /// The path of the file, `:memory:`, or an empty string for a temporary file.
  public let path: String

  let role: Role
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
  @exclusivity(unchecked) private var transactionStatements = TransactionStatements()

  /// The statements that insert records.
  let insertionPlans = InsertionPlans()

  /// How many transactions of ``withTransaction(_:willCommit:_:)`` are open: 0 or 1.
  @exclusivity(unchecked) var openTransactions = 0
  /// Whether SQLite has rolled that transaction back by itself, because of an error.
  @exclusivity(unchecked) private(set) var transactionWasUndone = false

  /// What the running access may do.
  @exclusivity(unchecked) private(set) var access = Access.none

  private let busyHandler: BusyHandler
  @exclusivity(unchecked) private var statementCache: StatementCache
  @exclusivity(unchecked) private var isClosed = false
  /// The statements that have been started and not been reset, in the order of their start.
  @exclusivity(unchecked) private var runningStatements: [Statement] = []
  /// Statements that were released on another thread, to be finalized in the next access.
  private let orphans = Lock<[UInt]>([])
  /// Whether there may be orphans: every access asks, and nearly none has to lock.
  private let hasOrphans = Atomic<Bool>(false)
  /// The thread of the running access, for the check of ``finalize(_:)``.
  @exclusivity(unchecked) private var accessThread: UInt = 0

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
  }

  /// What an access may do.
  enum Access {
    case none
    case read
    case write
  }

  init(path: String, configuration: Configuration, role: Role) throws {
    self.path = path
    self.configuration = configuration
    self.role = role
    statementCache = StatementCache(capacity: configuration.statementCacheCapacity)
    busyHandler = BusyHandler(mode: configuration.busyMode, cancellation: cancellation)
    sqliteConnection = try Database.open(path: path, role: role)
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

  /// Closes the connection. Statements that someone still holds keep it half open until they go.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    hooks?.connectionWillClose()
    statementCache.removeAll()
    insertionPlans.removeAll()
    transactionStatements.removeAll()
    pragmas.close()
    finalizeOrphans()
    sqlite3_close_v2(sqliteConnection)
  }
}

// MARK: - Accesses

extension Database {
  /// Begins an access on the calling thread.
  func beginAccess(_ access: Access) {
    self.access = access
    accessThread = CurrentThread.id
    finalizeOrphans()
    hooks?.accessDidBegin()
  }

  /// Ends the access: no statement of it goes on, so that no read transaction outlives it.
  func endAccess() {
    while let statement = runningStatements.last { statement.reset() }
    if sqlite3_get_autocommit(sqliteConnection) == 0 {
      sqlite3_exec(sqliteConnection, "ROLLBACK", nil, nil, nil)
    }
    hooks?.accessWillEnd()
    access = .none
    accessThread = 0
  }

  /// Stops with a message when the connection is used outside of an access, or on another thread.
  func checkAccess() {
    precondition(
      access != .none && accessThread == CurrentThread.id,
      """
      A Database, a Statement or a cursor was used outside of the read or write closure that \
      provided it. Use it inside of the closure only, and return copies of what was fetched, such \
      as arrays.
      """
    )
  }
}

// MARK: - What statements tell

extension Database {
  /// Called before the first step of a statement.
  func willRun(_ statement: Statement) throws {
    checkAccess()
    if cancellation.isRequested { throw CancellationError() }
    if transactionWasUndone {
      throw DatabaseError(
        resultCode: .SQLITE_ABORT,
        message: "SQLite has rolled the transaction back after an earlier error",
        sql: statement.sql
      )
    }
    if access == .read, !statement.isReadonly, !statement.effects.onlyReadsPragma {
      throw DatabaseError(
        resultCode: .SQLITE_READONLY,
        message: "attempt to write through a read-only access: use write instead of read",
        sql: statement.sql
      )
    }
    try regionRecorder?.record(statement)
    if notesWrites { hooks?.statementWillWrite(statement) }
    runningStatements.append(statement)
  }

  /// Called when a step has failed.
  func didFail() {
    if openTransactions > 0, sqlite3_get_autocommit(sqliteConnection) != 0 {
      transactionWasUndone = true
    }
  }

  /// The transaction has ended: statements may run again.
  func forgetUndoneTransaction() { transactionWasUndone = false }

  /// Called when a special statement has done all of its work.
  func didRun(_ statement: Statement) {
    hooks?.specialStatementDidRun(statement)
  }

  /// Called when a run has ended, well or not.
  func didReset(_ statement: Statement, hasFailed: Bool = false) {
    if runningStatements.last === statement {
      runningStatements.removeLast()
    } else {
      runningStatements.removeAll { $0 === statement }
    }
    if commitHookDidFire { hooks?.commitMayHaveEnded() }
    if hasObserverNews {
      // `OR FAIL` leaves the rows that were changed before the error: SQLite counts those only.
      let isUndone = hasFailed && sqlite3_changes64(sqliteConnection) == 0
      hooks?.statementDidEnd(undone: isUndone)
    }
  }

  /// The statement that was started last.
  var runningStatement: Statement? { runningStatements.last }

  /// Whether a statement of the library has been started and not been reset.
  var hasRunningStatements: Bool { !runningStatements.isEmpty }

  /// Finalizes a statement that nobody holds any more: now when its access runs on this thread,
  /// in the next access otherwise.
  func finalize(_ sqliteStatement: OpaquePointer) {
    if accessThread == CurrentThread.id || isClosed {
      sqlite3_finalize(sqliteStatement)
    } else {
      orphans.withLock { $0.append(UInt(bitPattern: sqliteStatement)) }
      hasOrphans.store(true, ordering: .releasing)
    }
  }

  private func finalizeOrphans() {
    guard hasOrphans.load(ordering: .acquiring) else { return }
    hasOrphans.store(false, ordering: .relaxed)
    let statements = orphans.withLock { orphans -> [UInt] in
      guard !orphans.isEmpty else { return [] }
      defer { orphans.removeAll() }
      return orphans
    }
    for statement in statements { sqlite3_finalize(OpaquePointer(bitPattern: statement)) }
  }
}

// MARK: - Statements

extension Database {
  /// Compiles a statement.
  ///
  /// - Throws: ``DatabaseError`` when the SQL does not compile, or with `SQLITE_MISUSE` when it
  ///   holds no statement or several.
  public func makeStatement(sql: String) throws -> Statement {
    var statements = StatementReader(database: self, sql: sql)
    guard let statement = try statements.next(isPersistent: false) else {
      throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "no SQL statement", sql: sql)
    }
    try statements.checkNoneFollows()
    return statement
  }

  /// Compiles a statement, or takes it from the connection's cache.
  ///
  /// Two runs of one SQL at a time get statements of their own. The returned statement may be handed
  /// out again as soon as it is idle: don't keep it.
  ///
  /// - Throws: What ``makeStatement(sql:)`` throws.
  public func cachedStatement(sql: String) throws -> Statement {
    if let statement = statementCache.idleStatement(for: sql) { return statement }
    var statements = StatementReader(database: self, sql: sql)
    guard let statement = try statements.next(isPersistent: true) else {
      throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "no SQL statement", sql: sql)
    }
    try statements.checkNoneFollows()
    statementCache.insert(statement, for: sql)
    return statement
  }

  /// Runs a statement that begins or ends a transaction.
  func run(_ command: TransactionStatements.Command) throws {
    if let statement = transactionStatements.idleStatement(command) { return try statement.run() }
    let statement = try cachedStatement(sql: command.sql)
    transactionStatements.insert(statement, for: command)
    try statement.run()
  }

  /// Compiles a statement, runs it to its end, and drops the rows it gives.
  ///
  ///     let insert = try db.run(sql: "INSERT INTO item (name) VALUES (?)", arguments: ["cup"])
  ///     try insert.execute(arguments: ["pot"])
  ///
  /// - Returns: The statement, which can be run again.
  /// - Throws: What ``makeStatement(sql:)`` throws, and ``DatabaseError`` when the run fails.
  @discardableResult
  public func run(
    sql: String,
    arguments: StatementArguments = StatementArguments()
  ) throws -> Statement {
    let statement = try makeStatement(sql: sql)
    try statement.execute(arguments: arguments)
    return statement
  }

  /// Runs all statements of an SQL string, and drops the rows they give.
  ///
  ///     try db.execute(sql: "UPDATE item SET price = ? WHERE id = ?", arguments: [12, 1])
  ///
  /// - Parameters:
  ///   - sql: One statement, or several that are separated by semicolons.
  ///   - arguments: The values of the parameters. Several statements take positional values in turn, and
  ///     named ones by name.
  /// - Throws: ``DatabaseError``. Statements before the failed one have been run.
  public func execute(sql: String, arguments: StatementArguments = StatementArguments()) throws {
    if let statement = statementCache.idleStatement(for: sql) {
      return try statement.execute(arguments: arguments)
    }
    try executeUncached(sql: sql, arguments: arguments)
  }

  /// Runs a statement with integers as its arguments, and drops the rows it gives.
  ///
  /// It does what the same does with ``StatementArguments``, in less time.
  ///
  /// - Throws: ``DatabaseError``.
  public func execute(sql: String, arguments: [Int]) throws {
    if let statement = statementCache.idleStatement(for: sql) {
      return try statement.execute(arguments: arguments)
    }
    try executeUncached(sql: sql, arguments: StatementArguments(arguments))
  }

  /// Runs a statement with values as its arguments, and drops the rows it gives.
  ///
  /// It does what the same does with ``StatementArguments``, in less time.
  ///
  /// - Throws: ``DatabaseError``.
  public func execute(sql: String, arguments: [any DatabaseValueConvertible]) throws {
    if let statement = statementCache.idleStatement(for: sql) {
      return try statement.execute(arguments: arguments)
    }
    try executeUncached(sql: sql, arguments: StatementArguments(arguments))
  }

  /// Compiles and runs all statements of an SQL string.
  private func executeUncached(sql: String, arguments: StatementArguments) throws {
    var statements = StatementReader(database: self, sql: sql)
    guard let first = try statements.next(isPersistent: false) else { return }
    guard try !statements.isAtEnd() else {
      // Statements that are compiled for one run only, because they change the schema or the
      // transaction, would push useful ones out of the cache.
      if !first.isSpecial { statementCache.insert(first, for: sql) }
      return try first.execute(arguments: arguments)
    }
    let all = SQLStatementCursor(database: self, sql: sql, arguments: arguments)
    try all.forEach { try $0.execute() }
  }

  /// How many rows the last `INSERT`, `UPDATE` or `DELETE` changed, without those changed by
  /// triggers and foreign keys.
  public var changesCount: Int { Int(sqlite3_changes64(sqliteConnection)) }

  /// How many rows were changed since the connection was opened, with those changed by triggers and foreign
  /// keys.
  public var totalChangesCount: Int { Int(sqlite3_total_changes64(sqliteConnection)) }

  /// The row id of the last row that this connection inserted into a table with row ids; 0 before.
  public var lastInsertedRowID: Int64 { sqlite3_last_insert_rowid(sqliteConnection) }

  /// Compiles a copy of `sql` to learn what it does.
  func effects(of sql: String) throws -> StatementEffects {
    var statements = StatementReader(database: self, sql: sql)
    return try statements.next(isPersistent: false)?.effects ?? StatementEffects()
  }
}
