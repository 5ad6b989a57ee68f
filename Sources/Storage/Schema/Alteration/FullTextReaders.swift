/// The full-text tables whose texts are in another table: `content='book'`.
///
/// SQLite does not change their declarations when it renames that table or a column of it.
struct FullTextReaders {
  /// A full-text table.
  private struct Reader {
    let table: SchemaObject
    let sql: String
  }

  private let db: Database
  private let schema: String
  private let readers: [Reader]

  /// Finds the full-text tables that read a table.
  init(of table: String, _ db: Database) throws {
    self.db = db
    schema = try db.tableInfo(table).schema
    let name = table.asciiLowercased
    readers = try db.schemaObjects(.table, in: schema).compactMap { object in
      guard let sql = object.sql, case .external(let content) = ContentSource(sql: sql),
        content.asciiLowercased == name
      else { return nil }
      return Reader(table: object, sql: sql)
    }
  }

  var isEmpty: Bool { readers.isEmpty }

  /// Throws an error if a full-text table reads a column, which shall be renamed or dropped.
  func check(column: String) throws {
    for reader in readers {
      let columns = try db.columns(in: reader.table.name, in: schema)
      guard columns.contains(where: { $0.is(column) }) else { continue }
      throw DatabaseError(
        resultCode: .SQLITE_ERROR,
        message: """
          the full-text table \(reader.table.name) reads the column \(column): drop that table and \
          its triggers first, and create it again afterwards
          """
      )
    }
  }

  /// Makes the full-text tables again, so that they read a table of another name, and rebuilds
  /// their indexes.
  func read(from newName: String) throws {
    for reader in readers {
      guard let sql = ContentSource.sql(reader.sql, withContent: newName) else { continue }
      let name = reader.table.name
      let qualified = "\(schema.quotedDatabaseIdentifier).\(name.quotedDatabaseIdentifier)"
      let settings = try settings(of: reader)
      try db.run(sql: "DROP TABLE \(qualified)")
      try db.run(sql: sql)
      let column = name.quotedDatabaseIdentifier
      for (key, value) in settings {
        try db.execute(
          sql: "INSERT INTO \(qualified) (\(column), rank) VALUES (?, ?)",
          arguments: [key, value]
        )
      }
      try db.execute(sql: "INSERT INTO \(qualified) (\(column)) VALUES ('rebuild')")
    }
  }

  /// Returns the settings that FTS5 keeps in the file, such as `automerge` and `rank`.
  private func settings(of reader: Reader) throws -> [(String, DatabaseValue)] {
    let table = "\(reader.table.name)_config"
    guard ContentSource.isFTS5(reader.sql), try db.tableExists(table, in: schema) else { return [] }
    let name = "\(schema.quotedDatabaseIdentifier).\(table.quotedDatabaseIdentifier)"
    return try Row.fetchAll(db, sql: "SELECT k, v FROM \(name) WHERE k <> 'version'").map { row in
      (try row.decode(String.self, forColumn: "k"), row.databaseValues[1])
    }
  }
}
