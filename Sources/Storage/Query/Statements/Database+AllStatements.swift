extension Database {
  /// Returns a cursor over the statements of an SQL literal, which binds its values. The parameters
  /// of a literal without values are bound later: a run before that throws the error of missing
  /// arguments.
  ///
  ///     let statements = try db.allStatements(
  ///       literal: "DELETE FROM item WHERE id = \(id); DELETE FROM shop WHERE id = \(id)"
  ///     )
  ///     while let statement = try statements.next() { try statement.execute() }
  ///
  /// - Returns: A cursor, whose ``SQLStatementCursor/next()`` throws ``DatabaseError`` when a
  ///   statement does not compile.
  /// - Throws: ``DatabaseError`` when a part of the literal needs a table that does not exist.
  public func allStatements(literal: SQL) throws -> SQLStatementCursor {
    let (sql, arguments) = try literal.build(self)
    return SQLStatementCursor(database: self, sql: sql, arguments: arguments, bindsLater: true)
  }
}
