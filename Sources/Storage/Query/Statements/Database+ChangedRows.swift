// SQLite counts no changed row for a statement on a view. Its `INSTEAD OF` triggers change rows of
// other tables. https://www.sqlite.org/c3ref/changes.html

extension Database {
  /// Runs a statement that changes rows of a table or a view.
  ///
  /// - Returns: The result of `run`, and the number of changed rows of the table. For a view, it is
  ///   the number of rows that its triggers have changed.
  func countingChanges<Result>(
    of table: String,
    _ run: () throws -> Result
  ) throws -> (result: Result, count: Int) {
    let total = totalChangesCount
    let result = try run()
    let count = changesCount
    // Triggers can change rows of other tables before the change of a table's row is ignored.
    guard count == 0, case let ofTriggers = totalChangesCount - total, ofTriggers > 0,
      try isView(table)
    else { return (result, count) }
    return (result, ofTriggers)
  }

  /// Returns whether the last insertion was ignored because of a conflict. An insertion into a view
  /// never is: its triggers do it.
  @inlinable
  func insertionWasIgnored(_ table: @autoclosure () -> String) throws -> Bool {
    guard changesCount == 0 else { return false }
    return try !isView(table())
  }

  @usableFromInline
  func isView(_ table: String) throws -> Bool { try tableInfo(table).kind == .view }
}

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
