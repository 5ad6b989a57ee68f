extension Database {
  /// Returns the problems that SQLite finds in the file: none for an intact file.
  ///
  ///     for problem in try db.integrityViolations() { print(problem) }
  ///     // row 3 missing from index player_on_score
  ///
  /// Reads the whole file, and finds damaged pages, indexes that don't match their table, and
  /// values that violate `NOT NULL`, `UNIQUE`, `CHECK` or strict types. For foreign keys, see
  /// ``foreignKeyViolations(in:in:limit:)``.
  ///
  /// - Parameters:
  ///   - table: The table to check, with its indexes; the whole file by default.
  ///   - limit: The maximum number of violations to return.
  /// - Returns: SQLite's messages.
  /// - Throws: ``DatabaseError``, including when the file is so damaged that it cannot be read.
  public func integrityViolations(in table: String? = nil, limit: Int = 100) throws -> [String] {
    guard limit > 0 else {
      throw DatabaseError.misuse("the limit of integrityViolations must be at least 1")
    }
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

  /// Throws an error when the file is damaged: see ``integrityViolations(in:limit:)``.
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
