extension Database {
  /// The columns of a table's primary key, in the order of the key. Empty when the table declares
  /// none.
  ///
  /// - Throws: ``DatabaseError`` when there is no such table.
  func primaryKeyColumns(of table: String) throws -> [String] {
    let rows = try Row.fetchAll(
      self,
      sql: "SELECT name, pk FROM pragma_table_info(?) ORDER BY pk",
      arguments: [table]
    )
    guard !rows.isEmpty else {
      throw DatabaseError(resultCode: .SQLITE_ERROR, message: "no such table: \(table)")
    }
    return rows.filter { $0["pk"] as Int > 0 }.map { $0["name"] }
  }

  /// The numbers in the headers of all databases that a statement can change without changing a row.
  func headerNumbers() throws -> [Int64] {
    try (["main"] + pragmas.attachedNames).flatMap { name in
      try ["schema_version", "user_version", "application_id"].map { number in
        try Int64.fetchOne(self, sql: "PRAGMA \(name.quotedDatabaseIdentifier).\(number)") ?? 0
      }
    }
  }
}
