extension Database {
  /// Runs the statements of an SQL literal, and discards the rows that they return.
  ///
  ///     try db.execute(literal: "UPDATE player SET name = \(name) WHERE id = \(id)")
  ///     // UPDATE player SET name = ? WHERE id = ?
  ///
  /// - Throws: ``DatabaseError``. Statements before the failed one have run.
  public func execute(literal: SQL) throws {
    let (sql, arguments) = try literal.build(self)
    try execute(sql: sql, arguments: arguments)
  }

  /// Compiles an SQL literal, and binds its values. The parameters of a literal without values are
  /// bound later: a run before that throws the error of missing arguments.
  ///
  ///     let statement = try db.makeStatement(literal: "SELECT * FROM player WHERE id = \(id)")
  ///     // SELECT * FROM player WHERE id = ?
  ///
  /// - Throws: The errors of ``makeStatement(sql:)``.
  public func makeStatement(literal: SQL) throws -> Statement {
    let (sql, arguments) = try literal.build(self)
    let statement = try makeStatement(sql: sql)
    try statement.setArgumentsNowOrLater(arguments)
    return statement
  }

  /// Returns the cached statement of an SQL literal, or compiles it, and binds its values. The
  /// parameters of a literal without values are bound later: a run before that throws the error of
  /// missing arguments.
  ///
  ///     let statement = try db.cachedStatement(literal: "SELECT * FROM player WHERE id = \(id)")
  ///     // SELECT * FROM player WHERE id = ?
  ///
  /// - Throws: The errors of ``cachedStatement(sql:)``.
  public func cachedStatement(literal: SQL) throws -> Statement {
    let (sql, arguments) = try literal.build(self)
    let statement = try cachedStatement(sql: sql)
    try statement.setArgumentsNowOrLater(arguments)
    return statement
  }

  /// Returns the cached statement of the SQL that a closure writes, or compiles it, and binds its
  /// arguments.
  func cachedStatement(_ write: (inout SQLContext) throws -> Void) throws -> Statement {
    var context = SQLContext(self)
    do {
      try write(&context)
    } catch let error as DatabaseError where error.sql == nil {
      // Without a schema, the SQL can still be written for the error message.
      var draft = SQLContext()
      try? write(&draft)
      throw error.with(sql: draft.sql)
    }
    let statement = try cachedStatement(sql: context.sql)
    try statement.setArguments(context.arguments)
    return statement
  }
}

extension Statement {
  /// Binds values to all parameters. Without any value, they may be bound later, and the next run
  /// fails if they are not.
  func setArgumentsNowOrLater(_ arguments: StatementArguments) throws {
    if arguments.isEmpty {
      setArgumentsForNextRun(arguments)
    } else {
      try setArguments(arguments)
    }
  }
}
