internal import CWellspringSQLite

/// A compiled SQL statement of one connection.
///
/// A statement belongs to the ``Database`` that made it, and is used inside of the accesses to that
/// database only. One statement runs at most once at a time: fetching from a statement whose cursor
/// is still open starts it again and ends that cursor.
public final class Statement {
  /// SQLite's statement, for calls that this library does not wrap.
  public let sqliteStatement: OpaquePointer

  /// The SQL, without what follows the statement.
  public let sql: String

  /// The names of the columns of the result, from left to right. Empty when the statement gives no
  /// rows.
  ///
  /// They may change when the schema does.
  public var columnNames: [String] { layout.columnNames }

  /// How many columns the result has; 0 when the statement gives no rows.
  public var columnCount: Int { layout.columnNames.count }

  /// Returns the index of the leftmost column of this name, in whatever case; `nil` when there is none.
  public func index(ofColumn name: String) -> Int? { layout.index(ofColumn: name) }

  /// Whether running the statement leaves the database file as it is.
  public let isReadonly: Bool

  /// The values that are bound to the parameters.
  public var arguments: StatementArguments { boundArguments.statementArguments }

  // The access that the statement is confined to is one thread, and nothing here calls back while it
  // changes a property: to check that at run time would take a tenth of an insertion.

  /// What was bound last through this library.
  @exclusivity(unchecked) var boundArguments = BoundArguments.arguments(
    StatementArguments()
  )

  @usableFromInline let database: Database

  /// What the authorizer told when the statement was compiled last.
  @exclusivity(unchecked) private(set) var effects: StatementEffects

  /// Whether the connection must be told when the statement has run.
  @exclusivity(unchecked) @usableFromInline private(set) var isSpecial: Bool

  /// Whether SQLite may compile statements of its own while this one runs, which change the schema.
  @exclusivity(unchecked) private var mayChangeSchema: Bool

  /// Whether the statement tells how another one would be run, which it does not do.
  var isExplanation: Bool { sqlite3_stmt_isexplain(sqliteStatement) != 0 }

  /// What the statement reads, once the observation engine has worked it out.
  var region: StatementRegion?

  /// Whether the statement has been started and not been reset since.
  @exclusivity(unchecked) @usableFromInline private(set) var isRunning = false

  /// Whether a cursor holds the statement, and its arguments, for a run that has not begun.
  @exclusivity(unchecked) var isReserved = false

  /// Counts the runs, so that a cursor of an earlier run knows that it is over.
  @exclusivity(unchecked) @usableFromInline private(set) var runNumber: UInt = 0

  let parameterCount: Int32
  /// By index, from the first parameter on: the name without its prefix; `nil` for `?`.
  let parameterNames: [String?]
  @exclusivity(unchecked) private var cachedLayout: RowLayout?

  init(
    database: Database,
    sqliteStatement: OpaquePointer,
    effects: StatementEffects
  ) {
    self.database = database
    self.sqliteStatement = sqliteStatement
    let (effects, isReadonly) = Self.settle(effects, sqliteStatement)
    self.effects = effects
    self.isReadonly = isReadonly
    isSpecial = effects.isSpecial
    mayChangeSchema = effects.mayChangeSchema(isReadonly: isReadonly)
    sql = String(cString: sqlite3_sql(sqliteStatement))
    let count = sqlite3_bind_parameter_count(sqliteStatement)
    parameterCount = count
    parameterNames = (0..<count).map { index in
      guard let name = sqlite3_bind_parameter_name(sqliteStatement, index + 1),
        name.pointee != CChar(UInt8(ascii: "?"))
      else { return nil }
      return String(cString: name + 1)
    }
  }

  deinit {
    database.finalize(sqliteStatement)
  }

  /// What a statement does, and whether it writes, by what SQLite tells of it and of its text.
  private static func settle(
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

  /// The names of the columns, shared by all rows of the statement.
  @usableFromInline var layout: RowLayout {
    let count = Int(sqlite3_column_count(sqliteStatement))
    if let cachedLayout, cachedLayout.columnNames.count == count { return cachedLayout }
    let names = (0..<Int32(count)).map { String(cString: sqlite3_column_name(sqliteStatement, $0)) }
    let layout = RowLayout(columnNames: names)
    cachedLayout = layout
    return layout
  }
}

// MARK: - Execution

extension Statement {
  /// Runs the statement to its end, and drops the rows it gives.
  ///
  /// - Parameter arguments: The values of the parameters, or `nil` for those that are bound already.
  /// - Throws: ``DatabaseError``, after which the statement can be run again.
  public func execute(arguments: StatementArguments? = nil) throws {
    if let arguments { try setArguments(arguments) }
    try run()
  }

  /// Runs the statement to its end with integers as its arguments, and drops the rows it gives.
  ///
  /// It does what the same does with ``StatementArguments``, in less time.
  ///
  /// - Throws: ``DatabaseError``, after which the statement can be run again.
  public func execute(arguments: [Int]) throws {
    try setArguments(arguments)
    try run()
  }

  /// Runs the statement to its end with values as its arguments, and drops the rows it gives.
  ///
  /// It does what the same does with ``StatementArguments``, in less time.
  ///
  /// - Throws: ``DatabaseError``, after which the statement can be run again.
  public func execute(arguments: PositionalArguments) throws {
    try setArguments(arguments.values)
    try run()
  }

  /// Runs the statement to its end, and drops the rows it gives.
  func run() throws {
    defer { reset() }
    var hasRow = try firstStep()
    while hasRow { hasRow = try step() }
  }

  /// Starts a run, and moves to its first row.
  ///
  /// - Returns: Whether there is one. When there is none, the statement has done all of its work.
  @usableFromInline
  func firstStep() throws -> Bool {
    if isRunning { reset() }
    try database.willRun(self)
    isRunning = true
    runNumber &+= 1
    // SQLite compiles the statement anew in its first step when the schema has changed. Virtual
    // tables compile statements of their own.
    let calls = database.authorizer.unrecordedCalls
    let hasRow = try step()
    // A pragma has done its work when it gives its first row, perhaps the only one that is fetched.
    if hasRow, isSpecial { database.didRun(self) }
    if database.authorizer.unrecordedCalls != calls, wasCompiledAnew() { try refresh() }
    return hasRow
  }

  /// Moves on to the next row.
  ///
  /// - Returns: Whether there is one. When there is none, the statement has done all of its work.
  @usableFromInline
  func step() throws -> Bool {
    let code = mayChangeSchema ? stepChangingSchema() : sqlite3_step(sqliteStatement)
    if code == SQLITE_ROW { return true }
    guard code == SQLITE_DONE else {
      let failure = error(code)
      database.didFail()
      reset(hasFailed: true)
      throw failure
    }
    if isSpecial { database.didRun(self) }
    return false
  }

  private func stepChangingSchema() -> Int32 {
    let outer = database.authorizer.isInsideSchemaChange
    database.authorizer.isInsideSchemaChange = true
    defer { database.authorizer.isInsideSchemaChange = outer }
    return sqlite3_step(sqliteStatement)
  }

  /// Ends the run. Bound values stay.
  @usableFromInline
  func reset() { reset(hasFailed: false) }

  private func reset(hasFailed: Bool) {
    guard isRunning else { return }
    isRunning = false
    sqlite3_reset(sqliteStatement)
    database.didReset(self, hasFailed: hasFailed)
  }

  /// Whether SQLite has compiled the statement anew since this was asked last.
  private func wasCompiledAnew() -> Bool {
    sqlite3_stmt_status(sqliteStatement, SQLITE_STMTSTATUS_REPREPARE, 1) > 0
  }

  /// Learns anew what the statement does, after SQLite has compiled it anew.
  private func refresh() throws {
    effects = try database.effects(of: sql)
    isSpecial = effects.isSpecial
    mayChangeSchema = effects.mayChangeSchema(isReadonly: isReadonly)
    region = nil
    cachedLayout = nil
    try database.regionRecorder?.record(self)
  }

  /// Throws the error that `code` stands for, unless it is 0.
  func check(_ code: Int32) throws {
    guard code == SQLITE_OK else { throw error(code) }
  }

  private func error(_ code: Int32) -> any Error {
    if database.isCancelled(code) { return CancellationError() }
    if ResultCode(rawValue: code) == .SQLITE_CONSTRAINT_COMMITHOOK,
      let veto = database.hooks?.takeVeto()
    {
      return veto
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
