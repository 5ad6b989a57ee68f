extension Database {
  /// What is wrong with the file, as SQLite tells it: nothing in general.
  ///
  ///     for problem in try db.integrityViolations() { print(problem) }
  ///     // row 3 missing from index player_on_score
  ///
  /// It reads the whole file, and finds damaged pages, indexes that don't fit their table, and values that
  /// violate `NOT NULL`, `UNIQUE`, `CHECK` and strict types. For foreign keys see
  /// ``foreignKeyViolations(in:limit:)``.
  ///
  /// - Parameters:
  ///   - table: The table that is looked at, with its indexes; all unless given.
  ///   - limit: How many violations are looked for at most.
  /// - Returns: Sentences of SQLite.
  /// - Throws: ``DatabaseError``, also when the file is so damaged that it cannot be read.
  public func integrityViolations(in table: String? = nil, limit: Int = 100) throws -> [String] {
    precondition(limit > 0, "The limit of integrityViolations is at least 1.")
    let violations: [String]
    if let table {
      _ = try tableInfo(table)
      let name = table.quotedDatabaseIdentifier
      violations = try String.fetchAll(self, sql: "PRAGMA integrity_check(\(name))")
    } else {
      violations = try String.fetchAll(self, sql: "PRAGMA integrity_check(\(limit))")
    }
    return violations == ["ok"] ? [] : Array(violations.prefix(limit))
  }

  /// Fails when something is wrong with the file: see ``integrityViolations(in:limit:)``.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_CORRUPT`, whose message names the first violations.
  public func checkIntegrity(in table: String? = nil) throws {
    let violations = try integrityViolations(in: table, limit: 5)
    guard !violations.isEmpty else { return }
    throw DatabaseError(
      resultCode: .SQLITE_CORRUPT,
      message: "the database is damaged: \(violations.joined(separator: "; "))"
    )
  }
}
