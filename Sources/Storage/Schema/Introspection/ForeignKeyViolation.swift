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
