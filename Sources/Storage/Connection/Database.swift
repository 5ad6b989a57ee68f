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
  /// authorizer, commit, rollback, preupdate, progress or busy handler on it, and do not close it.
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
  @exclusivity(unchecked) private var transactionStatements = TransactionStatements()

  /// The statements that insert records.
  let insertionPlans = InsertionPlans()

  /// How many transactions of ``withTransaction(_:willCommit:_:)`` are open: 0 or 1.
  @exclusivity(unchecked) var openTransactions = 0
  /// Whether SQLite has rolled that transaction back by itself, because of an error.
  @exclusivity(unchecked) private(set) var transactionWasUndone = false

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
  @exclusivity(unchecked) private(set) var access = Access.none

  let busyHandler: BusyHandler
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
    // In a child process that was forked in the middle of the access, all of it is the parent's.
    guard process.isCurrent else { return }
    while let statement = runningStatements.last {
      statement.reset()
      // Whatever the reset has done, this ends.
      if runningStatements.last === statement { runningStatements.removeLast() }
    }
    if sqlite3_get_autocommit(sqliteConnection) == 0, !keepsTransactions {
      sqlite3_exec(sqliteConnection, "ROLLBACK", nil, nil, nil)
      transactionCompletions?.transactionDidEnd(self, .rollback)
    }
    hooks?.accessWillEnd()
    access = .none
    accessThread = 0
  }

  /// Whether a transaction may outlive the access that began it.
  private var keepsTransactions: Bool {
    role == .snapshot || configuration.allowsUnsafeTransactions
  }

  /// - Throws: ``DatabaseError`` when a closure has left a transaction open that it should have ended.
  func checkNoTransactionIsLeftOpen() throws {
    guard isInsideTransaction, !keepsTransactions else { return }
    throw DatabaseError(
      resultCode: .SQLITE_MISUSE,
      message: """
        the closure left a transaction open, which is rolled back: commit it, or set \
        Configuration.allowsUnsafeTransactions
        """
    )
  }

  /// Runs a closure whose statements must not write: those that do are refused with
  /// `SQLITE_READONLY`.
  ///
  ///     try pool.write { db in
  ///       try db.readOnly { try report(db) }
  ///     }
  ///
  /// What is done through ``sqliteConnection`` is not looked at.
  ///
  /// - Throws: What `value` throws.
  public func readOnly<Value>(_ value: () throws -> Value) rethrows -> Value {
    checkAccess()
    let outer = access
    access = .read
    defer { access = outer }
    return try value()
  }

  /// Gives back as much memory as SQLite can: the page cache and the statements that are kept for
  /// reuse.
  public func releaseMemory() {
    checkAccess()
    releaseStatements()
    sqlite3_db_release_memory(sqliteConnection)
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
    guard process.isCurrent else { throw DatabaseError.usedAfterFork }
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
    transactionCompletions?.statementDidFail()
    if openTransactions > 0, sqlite3_get_autocommit(sqliteConnection) != 0 {
      transactionWasUndone = true
    }
  }

  /// The transaction has ended: statements may run again.
  func forgetUndoneTransaction() { transactionWasUndone = false }

  /// Called when a special statement has done all of its work.
  func didRun(_ statement: Statement) {
    if knownTransactionDate != nil { forgetTransactionDate(after: statement) }
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
    transactionCompletions?.statementDidEnd(self, statement)
  }

  /// The statement that was started last.
  var runningStatement: Statement? { runningStatements.last }

  /// Whether a statement of the library has been started and not been reset.
  var hasRunningStatements: Bool { !runningStatements.isEmpty }

  /// Finalizes a statement that nobody holds any more: now when its access runs on this thread,
  /// in the next access otherwise.
  func finalize(_ sqliteStatement: OpaquePointer) {
    guard process.isCurrent else { return }
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
  public func execute(sql: String, arguments: PositionalArguments) throws {
    if let statement = statementCache.idleStatement(for: sql) {
      return try statement.execute(arguments: arguments)
    }
    try executeUncached(sql: sql, arguments: StatementArguments(arguments.values))
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
