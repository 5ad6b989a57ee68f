internal import Storage

/// A table or a view, whose rows are told apart by primary key or row id where it has them.
struct WatchedTable {
  let name: String

  /// Fetches all rows with their keys.
  ///
  /// What the key is made of is read in the same transaction, so that the table may be altered, or
  /// dropped and made anew, while it is watched.
  func fetch(_ db: Database) throws -> WatchedResult {
    let columns = try columns(db)
    guard !columns.isEmpty else { throw try missingTable(db) }
    let visible = columns.filter { !$0.isHidden }
    let keyColumns = visible.indices.filter { visible[$0].keyPosition > 0 }
    guard keyColumns.isEmpty else {
      var result = try WatchedQuery.fetch(db, sql: "SELECT * FROM \(quotedName)")
      result.keys = result.rows.map { row in keyColumns.map { row[$0] } }
      return result
    }
    return try fetchWithRowIDs(db, columns: columns)
      ?? WatchedQuery.fetch(db, sql: "SELECT * FROM \(quotedName)")
  }

  private var quotedName: String { name.quotedDatabaseIdentifier }

  /// Fetches all rows with their row ids as keys; `nil` when there are none, as in a view.
  private func fetchWithRowIDs(_ db: Database, columns: [Column]) throws -> WatchedResult? {
    let names = Set(columns.map { $0.name.lowercased() })
    // A column of one of these names hides the row id.
    guard let rowID = ["rowid", "_rowid_", "oid"].first(where: { !names.contains($0) }) else {
      return nil
    }
    let sql = "SELECT *, \(rowID) FROM \(quotedName)"
    guard (try? db.cachedStatement(sql: sql)) != nil else { return nil }
    var result = try WatchedQuery.fetch(db, sql: sql)
    result.columns.removeLast()
    let keys = result.rows.indices.map { [result.rows[$0].removeLast()] }
    // SQLite can be built to give NULL as the row id of a view's rows.
    if !keys.contains([.null]) { result.keys = keys }
    return result
  }

  /// A column as `PRAGMA table_xinfo` describes it.
  private struct Column {
    let name: String
    /// From 1 on for the columns of the primary key, otherwise 0.
    let keyPosition: Int
    /// Whether `SELECT *` leaves the column out, as it does with those of virtual tables.
    let isHidden: Bool
  }

  /// The columns; none when there is no such table.
  ///
  /// The pragma is a statement of its own: a join with its table-valued form would make every change
  /// of the file one that may concern this query.
  private func columns(_ db: Database) throws -> [Column] {
    try Row.fetchAll(db, sql: "PRAGMA table_xinfo(\(quotedName))").map { row in
      Column(
        name: try row.decode(String.self, forColumn: "name"),
        keyPosition: try row.decode(Int.self, forColumn: "pk"),
        isHidden: try row.decode(Int.self, forColumn: "hidden") == 1
      )
    }
  }

  private func missingTable(_ db: Database) throws -> ToolError {
    let names = try String.fetchAll(
      db,
      sql: """
        SELECT name FROM pragma_table_list
        WHERE schema = 'main' AND type <> 'shadow' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        ORDER BY name
        """
    )
    let others = names.isEmpty ? "there are none" : "there are \(names.joined(separator: ", "))"
    return ToolError("no such table: \(name) (\(others))")
  }
}
