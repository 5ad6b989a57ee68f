internal import CWellspringSQLite

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

  /// Returns a statement from the connection's cache, or compiles it.
  ///
  /// Overlapping runs of the same SQL get separate statements. The cache may hand out the returned
  /// statement again as soon as it is idle, so don't keep it.
  ///
  /// - Throws: The errors of ``makeStatement(sql:)``.
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
    if let statement = transactionState.statements.idleStatement(command) {
      return try statement.run()
    }
    let statement = try cachedStatement(sql: command.sql)
    transactionState.statements.insert(statement, for: command)
    try statement.run()
  }

  /// Compiles a statement, runs it to its end, and discards its rows.
  ///
  ///     let insert = try db.run(sql: "INSERT INTO item (name) VALUES (?)", arguments: ["cup"])
  ///     try insert.execute(arguments: ["pot"])
  ///
  /// - Returns: The statement, which can be run again.
  /// - Throws: The errors of ``makeStatement(sql:)``, and ``DatabaseError`` when the run fails.
  @discardableResult
  public func run(
    sql: String,
    arguments: StatementArguments = StatementArguments()
  ) throws -> Statement {
    let statement = try makeStatement(sql: sql)
    try statement.execute(arguments: arguments)
    return statement
  }

  /// Runs all statements of an SQL string, and discards their rows.
  ///
  ///     try db.execute(sql: "UPDATE item SET price = ? WHERE id = ?", arguments: [12, 1])
  ///
  /// - Parameters:
  ///   - sql: One statement, or several separated by semicolons.
  ///   - arguments: The values of the parameters. Several statements take positional values in
  ///     turn, and named values by name.
  /// - Throws: ``DatabaseError``. The statements before the failed one have been run.
  @_disfavoredOverload
  @inline(never)
  public func execute(sql: String, arguments: StatementArguments = StatementArguments()) throws {
    if let statement = statementCache.idleStatement(for: sql) {
      return try statement.execute(arguments: arguments)
    }
    try executeUncached(sql: sql, arguments: arguments)
  }

  /// Runs a statement with integers as its arguments, and discards its rows.
  ///
  /// This is faster than the overload that takes ``StatementArguments``.
  ///
  /// - Throws: ``DatabaseError``.
  @inlinable
  public func execute(sql: String, arguments: [Int]) throws {
    // Inlined, so that the compiler keeps an array literal on the stack.
    try arguments.withUnsafeBufferPointer { try execute(sql: sql, integers: $0) }
  }

  @usableFromInline
  func execute(sql: String, integers: UnsafeBufferPointer<Int>) throws {
    if let statement = statementCache.idleStatement(for: sql) {
      return try statement.execute(integers: integers)
    }
    try executeUncached(sql: sql, arguments: StatementArguments(Array(integers)))
  }

  /// Runs a statement with positional arguments, and discards its rows.
  ///
  /// This is faster than the overload that takes ``StatementArguments``.
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
    guard let first = try statements.next(isPersistent: false) else {
      let count = arguments.values.count
      guard count > 0 else { return }
      throw DatabaseError(
        resultCode: .SQLITE_MISUSE,
        message: "too many statement arguments: there is no statement, \(count) given",
        sql: sql
      )
    }
    guard try !statements.isAtEnd() else {
      // Statements that change the schema or control transactions rarely run twice. They would push
      // useful statements out of the cache.
      if !first.isSpecial { statementCache.insert(first, for: sql) }
      return try first.execute(arguments: arguments)
    }
    let all = SQLStatementCursor(database: self, sql: sql, arguments: arguments)
    try all.forEach { try $0.execute() }
  }

  /// The number of rows that the last `INSERT`, `UPDATE` or `DELETE` changed, without those changed
  /// by triggers and foreign keys: 0 after a statement on a view.
  public var changesCount: Int { Int(sqlite3_changes64(sqliteConnection)) }

  /// The number of rows changed since the connection was opened, including those changed by
  /// triggers and foreign keys.
  public var totalChangesCount: Int { Int(sqlite3_total_changes64(sqliteConnection)) }

  /// The row id of the last row that this connection inserted into a table with row ids; 0 before
  /// the first such row.
  public var lastInsertedRowID: Int64 { sqlite3_last_insert_rowid(sqliteConnection) }

  /// Returns the effects of a statement, by compiling it once more.
  func effects(of sql: String) throws -> StatementEffects {
    var statements = StatementReader(database: self, sql: sql)
    return try statements.next(isPersistent: false)?.effects ?? StatementEffects()
  }
}
