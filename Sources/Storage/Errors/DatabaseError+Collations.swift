internal import CWellspringSQLite

extension DatabaseError {
  /// Returns what SQLite's "no query solution" leaves out: a table without row ids cannot be read
  /// where a collation of its primary key is missing.
  static func missingCollation(message: String, _ connection: OpaquePointer) -> String? {
    guard message == "no query solution" else { return nil }
    let missing = collationsOfKeys(connection).filter { !canCompare(with: $0, connection) }
    let names = missing.isEmpty ? "" : ": \(missing.joined(separator: ", "))"
    return "the key of a table has a collation that the connection lacks\(names)"
  }

  /// Returns the collations of the primary keys of tables without row ids.
  private static func collationsOfKeys(_ connection: OpaquePointer) -> [String] {
    let sql = """
      SELECT DISTINCT key.coll
      FROM pragma_table_list AS list, pragma_index_list(list.name) AS lookup,
        pragma_index_xinfo(lookup.name) AS key
      WHERE list.wr AND lookup.origin = 'pk'
      """
    var names: [String] = []
    var statement: OpaquePointer?
    sqlite3_prepare_v2(connection, sql, -1, &statement, nil)
    while sqlite3_step(statement) == CWellspringSQLite.SQLITE_ROW,
      let text = sqlite3_column_text(statement, 0)
    {
      names.append(String(cString: text))
    }
    sqlite3_finalize(statement)
    return names
  }

  /// Whether the connection has a collation. SQLite's list of collations has missing ones, too.
  private static func canCompare(with collation: String, _ connection: OpaquePointer) -> Bool {
    var statement: OpaquePointer?
    let sql = "SELECT '' < '' COLLATE \(collation.quotedDatabaseIdentifier)"
    defer { sqlite3_finalize(statement) }
    return sqlite3_prepare_v2(connection, sql, -1, &statement, nil)
      == CWellspringSQLite.SQLITE_OK
  }
}
