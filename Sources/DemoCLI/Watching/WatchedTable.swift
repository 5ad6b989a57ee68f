internal import Storage

/// A table or a view. Its rows are identified by primary key or row id if it has one.
struct WatchedTable {
  let name: String

  /// Fetches all rows with their keys.
  ///
  /// The columns of the key are read in the same transaction, so the table can be altered, or
  /// dropped and recreated, while it is watched.
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

  /// Fetches all rows with their row ids as keys; `nil` if the table has no row ids, such as a
  /// view.
  private func fetchWithRowIDs(_ db: Database, columns: [Column]) throws -> WatchedResult? {
    let names = Set(columns.map { $0.name.lowercased() })
    // A column with one of these names hides the row id under that name.
    guard let rowID = ["rowid", "_rowid_", "oid"].first(where: { !names.contains($0) }) else {
      return nil
    }
    let sql = "SELECT *, \(rowID) FROM \(quotedName)"
    guard (try? db.cachedStatement(sql: sql)) != nil else { return nil }
    var result = try WatchedQuery.fetch(db, sql: sql)
    result.columns.removeLast()
    let keys = result.rows.indices.map { [result.rows[$0].removeLast()] }
    // Some builds of SQLite return NULL as the row id of a view's rows.
    if !keys.contains([.null]) { result.keys = keys }
    return result
  }

  /// A column as `PRAGMA table_xinfo` describes it.
  private struct Column {
    let name: String
    /// The position in the primary key, starting at 1; 0 for other columns.
    let keyPosition: Int
    /// Whether `SELECT *` omits the column, such as a hidden column of a virtual table.
    let isHidden: Bool
  }

  /// Returns the columns, or no columns if the table does not exist.
  ///
  /// The pragma runs as a separate statement: a join with its table-valued form would make this
  /// query depend on every change of the file.
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
