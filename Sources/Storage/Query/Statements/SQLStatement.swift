/// A statement that writes itself as SQL: `SELECT`, `INSERT`, `UPDATE` or `DELETE`.
protocol SQLStatement: Hashable, Sendable {
  /// Writes the statement, without parentheses.
  func write(to context: inout SQLContext) throws
}

extension SQLStatement {
  /// Returns the cached statement, or compiles it, and binds its arguments.
  func prepare(_ db: Database) throws -> Statement {
    try db.cachedStatement { try write(to: &$0) }
  }
}
