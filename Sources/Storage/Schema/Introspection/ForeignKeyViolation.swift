/// A row that refers to a row which is not there.
///
///     for violation in try db.foreignKeyViolations() { print(violation) }
///     // player(teamId): row 3 refers to team(id) = 7, which does not exist
public struct ForeignKeyViolation: Hashable, Sendable {
  /// The table of the row.
  public let originTable: String

  /// The row id of the row; `nil` in a table without row ids.
  public let originRowID: Int64?

  /// The table that is referred to.
  public let destinationTable: String

  /// The number of the foreign key in its table: see ``ForeignKeyInfo/id``.
  public let foreignKeyId: Int

  /// The columns, and what they refer to.
  public let mapping: [ForeignKeyInfo.Pair]

  /// What the columns hold; empty in a table without row ids.
  public let values: [DatabaseValue]
}

extension ForeignKeyViolation: CustomStringConvertible {
  /// The table, the row, and what it refers to.
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

extension Database {
  /// The rows that refer to rows which are not there.
  ///
  /// - Parameters:
  ///   - table: The table whose foreign keys are looked at; all tables unless given.
  ///   - limit: How many are looked for at most.
  /// - Returns: The violations: none in general.
  /// - Throws: ``DatabaseError`` when there is no such table, or when a foreign key refers to columns that are
  ///   not unique.
  /// - Complexity: Each row with a foreign key is looked up.
  public func foreignKeyViolations(
    in table: String? = nil,
    limit: Int = .max
  ) throws -> [ForeignKeyViolation] {
    let pragma = table.map { "foreign_key_check(\($0.quotedDatabaseIdentifier))" }
    // SQLite takes a table that is not there for one without violations.
    if let table { _ = try tableInfo(table) }
    let rows = try Row.fetchCursor(self, sql: "PRAGMA \(pragma ?? "foreign_key_check")")
    var violations: [ForeignKeyViolation] = []
    while violations.count < limit, let row = try rows.next() {
      violations.append(try violation(row))
    }
    return violations
  }

  /// Fails when a row refers to a row that is not there.
  ///
  ///     try db.checkForeignKeys(in: "player")
  ///
  /// - Parameter table: The table whose foreign keys are looked at; all tables unless given.
  /// - Throws: ``DatabaseError`` with `SQLITE_CONSTRAINT_FOREIGNKEY`, whose message names the first rows; or as
  ///   ``foreignKeyViolations(in:limit:)``.
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
