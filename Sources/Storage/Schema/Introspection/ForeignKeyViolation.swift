/// A row that refers to a row that does not exist.
///
///     for violation in try db.foreignKeyViolations() { print(violation) }
///     // player(teamId): row 3 refers to team(id) = 7, which does not exist
public struct ForeignKeyViolation: Hashable, Sendable {
  /// The table of the row.
  public let originTable: String

  /// The row id; `nil` in a table without row ids.
  public let originRowID: Int64?

  /// The table that the foreign key refers to.
  public let destinationTable: String

  /// The number of the foreign key within its table: see ``ForeignKeyInfo/id``.
  public let foreignKeyId: Int

  /// The columns of the foreign key and the columns that they refer to.
  public let mapping: [ForeignKeyInfo.Pair]

  /// The values of the columns; empty in a table without row ids.
  public let values: [DatabaseValue]

  /// The database that holds the table; `nil` when the table was looked up by its name alone.
  let schema: String?
}

extension ForeignKeyViolation: CustomStringConvertible {
  /// The table, the row and the missing row that it refers to.
  public var description: String {
    let origin = mapping.map(\.origin).joined(separator: ", ")
    let destination = mapping.map(\.destination).joined(separator: ", ")
    let row = originRowID.map { "row \($0)" } ?? "a row"
    let found = values.map(\.description).joined(separator: ", ")
    let value = values.isEmpty ? "" : values.count == 1 ? " = \(found)" : " = (\(found))"
    return """
      \(originTable)(\(origin)): \(row) refers to \(destinationTable)(\(destination))\(value), \
      which does not exist
      """
  }
}

extension ForeignKeyViolation {
  /// Returns the ``description``, followed by all values of the row.
  ///
  ///     try violation.failureDescription(db)
  ///     // player(teamId): row 3 refers to team(id) = 7, which does not exist, in [id:3 teamId:7]
  ///
  /// The values may be personal data.
  ///
  /// - Throws: ``DatabaseError``.
  public func failureDescription(_ db: Database) throws -> String {
    guard let originRowID, let rowID = try db.tableInfo(originTable, in: schema).rowIDName else {
      return description
    }
    let table = [schema, originTable].compactMap { $0?.quotedDatabaseIdentifier }
    let row = try Row.fetchOne(
      db,
      sql: """
        SELECT * FROM \(table.joined(separator: ".")) \
        WHERE \(rowID.quotedDatabaseIdentifier) = ?
        """,
      arguments: [originRowID]
    )
    return row.map { "\(self), in \($0)" } ?? description
  }
}

extension Database {
  /// Returns the rows that refer to rows that do not exist.
  ///
  /// - Parameters:
  ///   - table: The table whose foreign keys are checked; all tables by default.
  ///   - schema: The database that holds the table; by default, the first one that has it.
  ///   - limit: The maximum number of violations to return.
  /// - Returns: The violations; empty when all references are valid.
  /// - Throws: ``DatabaseError`` when the table does not exist, or when a foreign key refers to
  ///   columns that are not unique.
  /// - Complexity: One look-up for each row that has a foreign key.
  public func foreignKeyViolations(
    in table: String? = nil,
    in schema: String? = nil,
    limit: Int = .max
  ) throws -> [ForeignKeyViolation] {
    var pragma = "foreign_key_check"
    var owner = schema
    if let schema { try checkSchema(schema) }
    if let table {
      // SQLite reports no violations for a table that does not exist.
      owner = try tableInfo(table, in: schema).schema
      pragma += "(\(table.quotedDatabaseIdentifier))"
    }
    if let owner { pragma = "\(owner.quotedDatabaseIdentifier).\(pragma)" }
    let rows = try Row.fetchCursor(self, sql: "PRAGMA \(pragma)")
    var violations: [ForeignKeyViolation] = []
    while violations.count < limit, let row = try rows.next() {
      violations.append(try violation(row, in: owner))
    }
    return violations
  }

  /// Throws an error when a row refers to a row that does not exist.
  ///
  ///     try db.checkForeignKeys(in: "player")
  ///
  /// - Parameters:
  ///   - table: The table whose foreign keys are checked; all tables by default.
  ///   - schema: The database that holds the table; by default, the first one that has it.
  /// - Throws: ``DatabaseError`` with `SQLITE_CONSTRAINT_FOREIGNKEY`, whose message names the first
  ///   rows; and the errors of ``foreignKeyViolations(in:in:limit:)``.
  public func checkForeignKeys(in table: String? = nil, in schema: String? = nil) throws {
    let shown = 5
    let violations = try foreignKeyViolations(in: table, in: schema, limit: shown + 1)
    guard !violations.isEmpty else { return }
    let lines = violations.prefix(shown).map(\.description)
    let more = violations.count > shown ? ["…"] : []
    throw DatabaseError(
      resultCode: .SQLITE_CONSTRAINT_FOREIGNKEY,
      message: "FOREIGN KEY constraint failed: \((lines + more).joined(separator: "; "))"
    )
  }

  private func violation(_ row: Row, in schema: String?) throws -> ForeignKeyViolation {
    let table = try row.decode(String.self, forColumn: "table")
    let id: Int = row["fkid"]
    let rowID = row["rowid"] as Int64?
    let key = try foreignKeys(on: table, in: schema).first { $0.id == id }
    var values: [DatabaseValue] = []
    if let key, let rowID, let rowIDColumn = try tableInfo(table, in: schema).rowIDName {
      let columns = key.originColumns.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
      let source = [schema, table].compactMap { $0?.quotedDatabaseIdentifier }
        .joined(separator: ".")
      let origin = try Row.fetchOne(
        self,
        sql: """
          SELECT \(columns) FROM \(source) \
          WHERE \(rowIDColumn.quotedDatabaseIdentifier) = ?
          """,
        arguments: [rowID]
      )
      values = origin.map { Array($0.databaseValues) } ?? []
    }
    return ForeignKeyViolation(
      originTable: table,
      originRowID: rowID,
      destinationTable: try row.decode(forColumn: "parent"),
      foreignKeyId: id,
      mapping: key?.mapping ?? [],
      values: values,
      schema: schema
    )
  }
}
