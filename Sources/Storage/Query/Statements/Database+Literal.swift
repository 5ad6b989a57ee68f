extension Database {
  /// Runs the statements of an SQL literal, and drops the rows they give.
  ///
  ///     try db.execute(literal: "UPDATE player SET name = \(name) WHERE id = \(id)")
  ///     // UPDATE player SET name = ? WHERE id = ?
  ///
  /// - Throws: ``DatabaseError``. Statements before the failed one have been run.
  public func execute(literal: SQL) throws {
    let (sql, arguments) = try literal.build(self)
    try execute(sql: sql, arguments: arguments)
  }

  /// Compiles an SQL literal, and binds what it embeds.
  ///
  ///     let statement = try db.makeStatement(literal: "SELECT * FROM player WHERE id = \(id)")
  ///     // SELECT * FROM player WHERE id = ?
  ///
  /// - Throws: What ``makeStatement(sql:)`` throws.
  public func makeStatement(literal: SQL) throws -> Statement {
    let (sql, arguments) = try literal.build(self)
    let statement = try makeStatement(sql: sql)
    try statement.setArguments(arguments)
    return statement
  }

  /// Compiles an SQL literal, or takes its statement from the connection's cache, and binds what it
  /// embeds.
  ///
  ///     let statement = try db.cachedStatement(literal: "SELECT * FROM player WHERE id = \(id)")
  ///     // SELECT * FROM player WHERE id = ?
  ///
  /// - Throws: What ``cachedStatement(sql:)`` throws.
  public func cachedStatement(literal: SQL) throws -> Statement {
    try cachedStatement { try $0.append(literal) }
  }

  /// Compiles what a closure writes, or takes its statement from the cache, and binds its arguments.
  func cachedStatement(_ write: (inout SQLContext) throws -> Void) throws -> Statement {
    var context = SQLContext(self)
    do {
      try write(&context)
    } catch let error as DatabaseError where error.sql == nil {
      // What cannot be written for SQLite can be for people.
      var draft = SQLContext()
      try? write(&draft)
      throw error.with(sql: draft.sql)
    }
    let statement = try cachedStatement(sql: context.sql)
    try statement.setArguments(context.arguments)
    return statement
  }
}
