internal import Storage

/// The tables and views of a file, with their numbers of rows.
enum FileOverview {
  /// Returns the statement that reads them. It has the present tables.
  static func plan(_ db: Database) throws -> QueryPlan {
    let tables = try Row.fetchAll(
      db,
      sql: """
        SELECT name, type FROM pragma_table_list
        WHERE schema = 'main' AND type <> 'shadow' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        ORDER BY type, name COLLATE NOCASE
        """
    )
    let rows = tables.compactMap { row -> String? in
      guard let name = row.schemaText("name"), let type = row.schemaText("type") else { return nil }
      let count = "SELECT count(*) FROM \(name.quotedDatabaseIdentifier)"
      // A view may not compile, such as a view of a table that was dropped. A cached statement was
      // compiled before.
      let isReadable = (try? db.makeStatement(sql: count)) != nil
      let literal = "'\(name.replacingScalar("'", with: "''"))'"
      return "(\(literal), '\(type)', \(isReadable ? "(\(count))" : "NULL"))"
    }
    guard !rows.isEmpty else {
      return QueryPlan(sql: "SELECT NULL AS name, NULL AS kind, NULL AS rows WHERE 0")
    }
    // The schema is read here so that an observation knows that it matters.
    _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema")
    return QueryPlan(
      sql: """
        WITH wellspring_overview (name, kind, rows) AS (VALUES \(rows.joined(separator: ",\n")))
        SELECT name, kind, rows FROM wellspring_overview
        """,
      keyNames: ["name"]
    )
  }
}
