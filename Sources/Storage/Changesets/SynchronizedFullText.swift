/// The tables in which full-text tables keep an index that triggers write.
///
/// A changeset does not hold their rows: applying it runs the triggers, which write them.
enum SynchronizedFullText {
  /// Returns the names of the tables in lower case.
  static func shadowTables(_ db: Database) throws -> Set<String> {
    let sql = "SELECT name, sql FROM main.sqlite_master WHERE sql LIKE 'CREATE VIRTUAL TABLE%'"
    let indexes = try Row.fetchAll(db, sql: sql).compactMap { row -> String? in
      guard let name = try row.decode(String?.self, atIndex: 0),
        let sql = try row.decode(String?.self, atIndex: 1),
        case .external(let content) = ContentSource(sql: sql),
        try isWrittenByTriggers(name, of: content, db)
      else { return nil }
      return name
    }
    guard !indexes.isEmpty else { return [] }
    let shadows = try String.fetchAll(
      db,
      sql: "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow'"
    )
    let prefixes = indexes.map { $0.asciiLowercased + "_" }
    return Set(
      shadows.map(\.asciiLowercased).filter { name in prefixes.contains { name.hasPrefix($0) } }
    )
  }

  private static func isWrittenByTriggers(
    _ index: String,
    of table: String,
    _ db: Database
  ) throws -> Bool {
    try Bool.fetchOne(
      db,
      sql: """
        SELECT count(*) > 0 FROM main.sqlite_master
        WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE AND instr(lower(sql), lower(?))
        """,
      arguments: [table, index]
    ) ?? false
  }
}
