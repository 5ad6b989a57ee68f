internal import CWellspringSQLite

extension DatabaseError {
  /// Returns what SQLite's "no query solution" leaves out: a table without row ids cannot be read
  /// where a collation of its primary key is missing.
  static func missingCollation(message: String, _ connection: OpaquePointer) -> String? {
    guard message == "no query solution" else { return nil }
    let sql = """
      SELECT group_concat(DISTINCT key.coll)
      FROM pragma_table_list AS list, pragma_index_list(list.name) AS lookup,
        pragma_index_xinfo(lookup.name) AS key
      WHERE list.wr AND lookup.origin = 'pk' AND key.coll COLLATE NOCASE NOT IN (
        SELECT name FROM pragma_collation_list
      )
      """
    var names: String?
    var statement: OpaquePointer?
    if sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == CWellspringSQLite.SQLITE_OK,
      sqlite3_step(statement) == CWellspringSQLite.SQLITE_ROW,
      let text = sqlite3_column_text(statement, 0)
    {
      names = String(cString: text)
    }
    sqlite3_finalize(statement)
    guard let names else { return "the key of a table has a collation that the connection lacks" }
    return "the key of a table has a collation that the connection lacks: \(names)"
  }
}
