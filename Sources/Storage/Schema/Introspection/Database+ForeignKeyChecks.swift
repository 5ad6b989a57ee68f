extension Database {
  /// Returns the rows that refer to rows that do not exist.
  ///
  /// - Parameters:
  ///   - table: The table whose foreign keys are checked; all tables by default.
  ///   - limit: The maximum number of violations to return.
  /// - Returns: The violations; empty when all references are valid.
  /// - Throws: ``DatabaseError`` when the table does not exist, or when a foreign key refers to
  ///   columns that are not unique.
  /// - Complexity: One look-up for each row that has a foreign key.
  public func foreignKeyViolations(
    in table: String? = nil,
    limit: Int = .max
  ) throws -> [ForeignKeyViolation] {
    let pragma = table.map { "foreign_key_check(\($0.quotedDatabaseIdentifier))" }
    // SQLite reports no violations for a table that does not exist.
    if let table { _ = try tableInfo(table) }
    let rows = try Row.fetchCursor(self, sql: "PRAGMA \(pragma ?? "foreign_key_check")")
    var violations: [ForeignKeyViolation] = []
    while violations.count < limit, let row = try rows.next() {
      violations.append(try violation(row))
    }
    return violations
  }

  /// Throws an error when a row refers to a row that does not exist.
  ///
  ///     try db.checkForeignKeys(in: "player")
  ///
  /// - Parameter table: The table whose foreign keys are checked; all tables by default.
  /// - Throws: ``DatabaseError`` with `SQLITE_CONSTRAINT_FOREIGNKEY`, whose message names the first
  ///   rows; and the errors of ``foreignKeyViolations(in:limit:)``.
  public func checkForeignKeys(in table: String? = nil) throws {
    let shown = 5
    let violations = try foreignKeyViolations(in: table, limit: shown + 1)
    guard !violations.isEmpty else { return }
    let lines = violations.prefix(shown).map(\.description)
    let more = violations.count > shown ? ["…"] : []
    throw DatabaseError(
      resultCode: .SQLITE_CONSTRAINT_FOREIGNKEY,
      message: "FOREIGN KEY constraint failed: \((lines + more).joined(separator: "; "))"
    )
  }

  private func violation(_ row: Row) throws -> ForeignKeyViolation {
    let table: String = row["table"]
    let id: Int = row["fkid"]
    let rowID = row["rowid"] as Int64?
    let key = try foreignKeys(on: table).first { $0.id == id }
    var values: [DatabaseValue] = []
    if let key, let rowID, let rowIDColumn = try tableInfo(table).rowIDName {
      let columns = key.originColumns.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
      let origin = try Row.fetchOne(
        self,
        sql: """
          SELECT \(columns) FROM \(table.quotedDatabaseIdentifier) \
          WHERE \(rowIDColumn.quotedDatabaseIdentifier) = ?
          """,
        arguments: [rowID]
      )
      values = origin.map { Array($0.databaseValues) } ?? []
    }
    return ForeignKeyViolation(
      originTable: table,
      originRowID: rowID,
      destinationTable: row["parent"],
      foreignKeyId: id,
      mapping: key?.mapping ?? [],
      values: values
    )
  }
}
