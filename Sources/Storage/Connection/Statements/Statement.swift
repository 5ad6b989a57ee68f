internal import CWellspringSQLite

/// A compiled SQL statement of one connection.
///
/// A statement belongs to the ``Database`` that made it. Use it only inside accesses to that
/// database. A statement has at most one run at a time: fetching from a statement whose cursor is
/// still open restarts the statement and ends that cursor.
public final class Statement {
  /// SQLite's statement, for calls that this library does not wrap.
  public let sqliteStatement: OpaquePointer

  /// The SQL of this statement, without text that follows the statement.
  public let sql: String

  /// The column names of the result, from left to right. Empty when the statement returns no rows.
  ///
  /// They may change when the schema changes.
  public var columnNames: [String] { layout.columnNames }

  /// The number of columns of the result; 0 when the statement returns no rows.
  public var columnCount: Int { layout.columnNames.count }

  /// Returns the index of the leftmost column with this name, ignoring case; `nil` when no column
  /// has it.
  public func index(ofColumn name: String) -> Int? { layout.index(ofColumn: name) }

  /// Whether running the statement leaves the database file unchanged.
  public let isReadonly: Bool

  /// The values that are bound to the parameters.
  ///
  ///     statement.arguments = ["cup", 4]
  ///     try statement.execute()
  ///
  /// When values that are set do not fit the parameters, the next run of the statement throws the
  /// errors of ``setArguments(_:)``. The values bound before then stay.
  public var arguments: StatementArguments {
    get {
      switch bindings.values {
      case .arguments(let arguments): arguments
      case .integers: StatementArguments(bindings.integers.copy())
      case .values(let values): StatementArguments(values)
      case .unknown: StatementArguments()
      }
    }
    set { setArgumentsForNextRun(newValue) }
  }

  // A statement is confined to the one thread of its access, and nothing here calls back while a
  // property changes. Checking exclusivity at run time would take a tenth of the time of an
  // insertion.

  /// The values of the parameters.
  @exclusivity(unchecked) var bindings: StatementBindings

  @usableFromInline let database: Database

  /// The reads and effects of the statement, as the authorizer reported them at the last
  /// compilation.
  @exclusivity(unchecked) package private(set) var effects: StatementEffects

  /// Whether the connection's hooks must be called when the statement has run: see
  /// ``StatementEffects/isSpecial``.
  @exclusivity(unchecked) @usableFromInline private(set) var isSpecial: Bool

  /// Whether SQLite may compile further, schema-changing statements while this one runs.
  @exclusivity(unchecked) private var mayChangeSchema: Bool

  /// Whether the statement is an `EXPLAIN`, which describes another statement and does not run it.
  var isExplanation: Bool { sqlite3_stmt_isexplain(sqliteStatement) != 0 }

  /// The region of the statement; `nil` until the observation engine has determined it.
  var region: StatementRegion?

  /// The schema versions for which ``learnSchema()`` has found the effects of the statement.
  private var learnedVersions: [String: SchemaVersion]?

  /// Whether SQLite may have recompiled the statement in a first step that failed.
  @exclusivity(unchecked) private var missesRecompilation = false
  /// Whether the effects could not be updated after SQLite had recompiled it.
  @exclusivity(unchecked) private var missesRefresh = false

  /// The run that was begun last.
  @exclusivity(unchecked) @usableFromInline var lastRun = RunState()

  /// Whether the statement was started and not yet reset.
  @inlinable var isRunning: Bool { lastRun.isRunning }

  /// The options of the next runs.
  @exclusivity(unchecked) private(set) var runOptions = RunState.Options()

  let parameterCount: Int32
  /// The name of each parameter, without its prefix; `nil` for `?`.
  package let parameterNames: [String?]
  @exclusivity(unchecked) private var cachedLayout: RowLayout?

  init(
    database: Database,
    sqliteStatement: OpaquePointer,
    effects: StatementEffects
  ) {
    self.database = database
    self.sqliteStatement = sqliteStatement
    let (effects, isReadonly) = Self.classify(effects, sqliteStatement)
    self.effects = effects
    self.isReadonly = isReadonly
    isSpecial = effects.isSpecial
    mayChangeSchema = effects.mayChangeSchema(isReadonly: isReadonly)
    sql = String(cString: sqlite3_sql(sqliteStatement))
    let count = sqlite3_bind_parameter_count(sqliteStatement)
    parameterCount = count
    bindings = StatementBindings(parameterCount: Int(count))
    parameterNames = (0..<count).map { index in
      guard let name = sqlite3_bind_parameter_name(sqliteStatement, index + 1),
        name.pointee != CChar(UInt8(ascii: "?"))
      else { return nil }
      return String(cString: name + 1)
    }
  }

  deinit {
    assert(!isRunning, "A running statement keeps itself alive, or its caller does.")
    database.finalize(sqliteStatement)
  }

  /// Returns the effects of a statement and whether it only reads, from the records of the
  /// authorizer and SQLite's information about the compiled statement.
  private static func classify(
    _ effects: StatementEffects,
    _ sqliteStatement: OpaquePointer
  ) -> (effects: StatementEffects, isReadonly: Bool) {
    var effects = effects
    var isReadonly = sqlite3_stmt_readonly(sqliteStatement) != 0
    if sqlite3_stmt_isexplain(sqliteStatement) != 0 {
      effects = effects.ofExplanation
      if !effects.writesPragma { isReadonly = true }
    }
    if effects.writesSchemaTable, !isReadonly { effects.changesSchema = true }
    return (effects, isReadonly)
  }

  /// The column names, shared by all rows of the statement.
  @usableFromInline var layout: RowLayout {
    let count = Int(sqlite3_column_count(sqliteStatement) - runOptions.hiddenColumnCount)
    if let cachedLayout, cachedLayout.columnNames.count == count { return cachedLayout }
    let names = (0..<Int32(count)).map { String(cString: sqlite3_column_name(sqliteStatement, $0)) }
    let layout = RowLayout(columnNames: names)
    cachedLayout = layout
    return layout
  }
}

// MARK: - Execution

extension Statement {
  /// Runs the statement to its end, and discards its rows.
  ///
  /// - Parameter arguments: The values of the parameters; `nil` keeps the values that are bound.
  /// - Throws: ``DatabaseError``, after which the statement can be run again.
  @_disfavoredOverload
  @inline(never)
  public func execute(arguments: StatementArguments? = nil) throws {
    if let arguments { try setArguments(arguments) }
    try run()
  }

  /// Runs the statement to its end with integers as its arguments, and discards its rows.
  ///
  /// This is faster than the overload that takes ``StatementArguments``.
  ///
  /// - Throws: ``DatabaseError``, after which the statement can be run again.
  @inlinable
  public func execute(arguments: [Int]) throws {
    // Inlined, so that the compiler keeps an array literal on the stack.
    try arguments.withUnsafeBufferPointer { try execute(integers: $0) }
  }

  @usableFromInline
  func execute(integers: UnsafeBufferPointer<Int>) throws {
    try setArguments(integers)
    try run()
  }

  /// Runs the statement to its end with positional arguments, and discards its rows.
  ///
  /// This is faster than the overload that takes ``StatementArguments``.
  ///
  /// - Throws: ``DatabaseError``, after which the statement can be run again.
  public func execute(arguments: PositionalArguments) throws {
    try setArguments(arguments.values)
    try run()
  }

  /// Runs the statement to its end, and discards its rows.
  func run() throws {
    defer { reset() }
    var hasRow = try begin()
    while hasRow { hasRow = try step() }
  }

  /// Starts a run, and moves to its first row.
  ///
  /// - Returns: Whether there is a row. Without one, the statement has done all its work.
  @usableFromInline
  func firstStep() throws -> Bool {
    defer { if isRunning { lastRun.keptStatement = self } }
    return try begin()
  }

  /// ``firstStep()`` for a caller that ends the run itself.
  private func begin() throws -> Bool {
    if isRunning { reset() }
    if let failure = bindings.failure { throw failure }
    try database.willRun(self)
    lastRun.isRunning = true
    lastRun.number &+= 1
    // SQLite recompiles the statement in its first step when the schema has changed. But the
    // authorizer is also called when a virtual table compiles a statement.
    let calls = database.authorizer.unrecordedCalls
    let hasRow: Bool
    do {
      hasRow = try stepInline()
    } catch {
      if database.authorizer.unrecordedCalls != calls { missesRecompilation = true }
      throw error
    }
    // A pragma has done its work when it returns its first row. Perhaps no other row is fetched.
    if hasRow, isSpecial { try noteRun() }
    if hasRow, runOptions.returnsRowID { keepRowID() }
    if database.authorizer.unrecordedCalls != calls || missesRecompilation,
      wasRecompiled() || missesRefresh
    {
      try refreshAfterStep()
    }
    return hasRow
  }

  /// Runs a closure that runs the statement with options. Afterwards, the statement has its former
  /// ones: it is shared by all that run the same SQL.
  ///
  /// - Returns: The result of the closure, and the row id of the first row of its last run.
  @discardableResult
  func with<Result>(
    _ options: RunState.Options,
    _ body: () throws -> Result
  ) rethrows -> (result: Result, rowID: Int64?) {
    let former = (runOptions, lastRun.returnedRowID)
    (runOptions, lastRun.returnedRowID) = (options, nil)
    defer { (runOptions, lastRun.returnedRowID) = former }
    return (try body(), lastRun.returnedRowID)
  }

  @inline(never)
  private func keepRowID() {
    let column = sqlite3_column_count(sqliteStatement) - 1
    let isInteger = sqlite3_column_type(sqliteStatement, column) == SQLITE_INTEGER
    lastRun.returnedRowID = isInteger ? sqlite3_column_int64(sqliteStatement, column) : nil
  }

  /// Moves to the next row.
  ///
  /// - Returns: Whether there is a row. Without one, the statement has done all its work.
  // Not copied into its callers: callers that run for each row call `stepInline()`.
  @inline(never)
  @usableFromInline
  func step() throws -> Bool { try stepInline() }

  /// ``step()``, for the loops that most rows pass through.
  @inline(__always)
  func stepInline() throws -> Bool {
    let code = mayChangeSchema ? stepChangingSchema() : sqlite3_step(sqliteStatement)
    if code == SQLITE_ROW { return true }
    if code != SQLITE_DONE || isSpecial || database.commitAwaitsCheck { try finishStep(code) }
    return false
  }

  /// Handles a step that has reached no row: an error, or an end for which something waits.
  @inline(never)
  private func finishStep(_ code: Int32) throws {
    guard code == SQLITE_DONE else {
      let failure = error(code)
      database.didFail()
      if effects.changesSchema { database.versions.schemasMayHaveBeenReset() }
      reset(hasFailed: true)
      throw failure
    }
    if isSpecial { try noteRun() }
    if database.commitAwaitsCheck { try checkCommit() }
  }

  /// Throws if the statement has committed, and the commit may not be in the file.
  private func checkCommit() throws {
    do {
      if database.transactionState.isImplicit {
        try database.hooks?.endImplicitTransaction(of: self)
      }
      try database.checkCommit(sql: sql)
    } catch {
      database.didFail()
      reset(hasFailed: true)
      throw error
    }
  }

  /// Notes that a special statement has done all its work, which may make it fail.
  private func noteRun() throws {
    do {
      try database.didRun(self)
    } catch {
      database.didFail()
      reset(hasFailed: true)
      throw error
    }
  }

  @inline(never)
  private func stepChangingSchema() -> Int32 {
    let outer = database.authorizer.isInsideSchemaChange
    database.authorizer.isInsideSchemaChange = true
    defer { database.authorizer.isInsideSchemaChange = outer }
    return sqlite3_step(sqliteStatement)
  }

  /// Ends the run. Bound values stay.
  @usableFromInline
  func reset() { if isRunning { reset(hasFailed: false) } }

  private func reset(hasFailed: Bool) {
    guard isRunning else { return }
    lastRun.isRunning = false
    if lastRun.keptStatement != nil { lastRun.keptStatement = nil }
    let code = sqlite3_reset(sqliteStatement)
    guard code != SQLITE_OK, !hasFailed else {
      return database.didReset(self, hasFailed: hasFailed)
    }
    // The statement was reset before its end, and its writes were refused then.
    database.noteUnreportedFailure(error(code))
    database.didReset(self, hasFailed: true)
  }

  /// Returns whether SQLite has recompiled the statement since the last call.
  private func wasRecompiled() -> Bool {
    sqlite3_stmt_status(sqliteStatement, SQLITE_STMTSTATUS_REPREPARE, 1) > 0
  }

  /// Updates the effects and the region of the statement for the present schema.
  ///
  /// SQLite recompiles a statement when it runs. Call this before reading the effects or the region
  /// of a statement that does not run.
  ///
  /// - Throws: ``DatabaseError`` when the schema cannot be read, or the statement does not compile.
  func learnSchema() throws {
    // While it runs, they are known.
    guard !isRunning else { return }
    let versions = try database.unrecorded {
      try database.currentRegionSchema().versions
    }
    guard learnedVersions != versions else { return }
    try database.unrecorded { try refresh() }
    learnedVersions = versions
  }

  /// Updates the effects of the statement after a step. The step may have committed, and a
  /// cancellation must not make it fail then: the next run updates the effects.
  @inline(never)
  private func refreshAfterStep() throws {
    let request = database.cancellation.take()
    defer { database.cancellation.restore(request) }
    do {
      try refresh()
      missesRefresh = false
    } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
      (missesRecompilation, missesRefresh) = (true, true)
      guard !isReadonly || effects.isTransactionControl else { throw request.error ?? error }
    }
  }

  /// Updates the effects of the statement, after SQLite has recompiled it.
  private func refresh() throws {
    missesRecompilation = false
    effects = try database.effects(of: sql)
    isSpecial = effects.isSpecial
    mayChangeSchema = effects.mayChangeSchema(isReadonly: isReadonly)
    region = nil
    cachedLayout = nil
    try database.regionRecorder?.recordRecompiled(self)
  }

  /// Throws the error for `code`, unless it is `SQLITE_OK`.
  func check(_ code: Int32) throws {
    guard code == SQLITE_OK else { throw error(code) }
  }

  func error(_ code: Int32) -> any Error {
    if let interruption = database.interruption(code, sql: sql) { return interruption }
    if ResultCode(rawValue: code) == .SQLITE_CONSTRAINT_COMMITHOOK,
      let veto = database.hooks?.takeVeto()
    {
      return veto
    }
    if let failure = database.hooks?.movedFileError(ResultCode(rawValue: code)) {
      return failure.with(sql: sql)
    }
    return DatabaseError(
      code: code,
      connection: sqlite3_db_handle(sqliteStatement),
      sql: sql,
      arguments: arguments,
      showsArguments: database.configuration.publicStatementArguments
    )
  }
}
