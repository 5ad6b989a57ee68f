internal import CommandLineSupport
internal import Storage

/// The schema of a file, or the part of it that belongs to some tables.
struct FileSchema {
  /// Tables, indexes, triggers and views, in an order in which they can be created.
  let objects: [SchemaObject]
  /// The names of the tables that virtual tables keep for themselves.
  let shadowTables: Set<String>

  /// Reads the schema.
  ///
  /// - Parameters:
  ///   - db: A connection in a read.
  ///   - tables: The names of tables or views; empty for all.
  /// - Throws: ``ToolError`` when a table does not exist.
  init(_ db: Database, tables: [String]) throws {
    let all = try db.schemaObjects().filter { !$0.name.lowercased().hasPrefix("sqlite_") }
    let names = Set(tables.map { $0.lowercased() })
    for table in tables {
      let isKnown = all.contains {
        ($0.kind == .table || $0.kind == .view) && $0.name.lowercased() == table.lowercased()
      }
      guard isKnown else { throw try WatchedTable(name: table).missingTable(db) }
    }
    let shadows = try Set(
      Row.fetchAll(
        db,
        sql: "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow'"
      ).compactMap { $0.schemaText("name") }
    )
    shadowTables = shadows
    let kinds: [SchemaObject.Kind] = [.table, .view, .index, .trigger]
    objects = kinds.flatMap { kind in
      all.filter { object in
        object.kind == kind && !shadows.contains(object.tableName)
          && (names.isEmpty || names.contains(object.tableName.lowercased()))
      }
    }
  }
}
