extension Row: Fetchable {
  /// Returns a copy of the row, with its associated rows.
  ///
  /// - Throws: ``DatabaseError`` when the associated rows cannot be fetched.
  public static func fetched(from row: Row) throws -> Self {
    unsafeDowncast(try row.fetchedCopy(), to: Self.self)
  }

  /// Returns a cursor over the rows of a query.
  ///
  /// - Throws: ``DatabaseError`` when the SQL or its arguments are wrong. ``Cursor/next()`` throws
  ///   the errors of individual rows.
  public static func fetchCursor(
    _ db: Database,
    sql: String,
    arguments: StatementArguments = StatementArguments(),
    adapter: (any RowAdapter)? = nil
  ) throws -> RowCursor {
    let statement = try db.cachedStatement(sql: sql)
    try statement.setArguments(arguments)
    return RowCursor(statement, adapter)
  }

  /// Returns a cursor over the rows of a statement.
  ///
  /// Without arguments, the statement runs with its current arguments.
  ///
  /// - Throws: ``DatabaseError`` when the arguments do not match the statement's parameters.
  public static func fetchCursor(
    _ statement: Statement,
    arguments: StatementArguments? = nil,
    adapter: (any RowAdapter)? = nil
  ) throws -> RowCursor {
    if let arguments { try statement.setArguments(arguments) }
    return RowCursor(statement, adapter)
  }
}
