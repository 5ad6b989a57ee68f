/// The steps that rebuild a table inside a transaction.
struct RebuildPlan {
  /// An index or a trigger of the table, and the database that holds it.
  fileprivate struct Dependent {
    let object: SchemaObject
    let isTemporary: Bool
  }

  private let db: Database
  private let definition: TableRebuild
  private let layout: TableLayout
  private let old: TableInfo
  private let name: String
  private let temporaryName: String
  private let dependents: [Dependent]
  private let lastRowID: Int64?

  /// - Throws: ``DatabaseError`` when the table cannot be rebuilt.
  init(_ definition: TableRebuild, _ db: Database) throws {
    self.db = db
    self.definition = definition
    old = try db.tableInfo(definition.name)
    let schema = old.schema
    let tableName = definition.name.asciiLowercased
    // The name as the schema spells it, which the rebuilt table keeps.
    name =
      try db.schemaObjects(.table, in: schema).first { $0.name.asciiLowercased == tableName }?.name
      ?? definition.name
    guard old.kind == .table, !name.asciiLowercased.hasPrefix("sqlite_") else {
      throw Self.error("\(name) is not an ordinary table and cannot be rebuilt")
    }
    guard ["main", "temp"].contains(schema) else {
      throw Self.error(
        "\(schema).\(name) cannot be rebuilt: open its file as a separate database"
      )
    }
    layout = try TableLayout(definition, db)
    let objects = try Set([schema, "temp"]).sorted().flatMap { schema in
      try db.schemaObjects(in: schema).map {
        Dependent(object: $0, isTemporary: schema == "temp")
      }
    }
    dependents = objects.filter { candidate in
      let object = candidate.object
      return object.tableName.asciiLowercased == tableName && object.sql != nil
        && (object.kind == .index || object.kind == .trigger)
    }
    for dependent in dependents where dependent.object.mayBeRepaired {
      throw Self.error(
        """
        the \(dependent.object.kind) \(dependent.object.name) has text that is not valid UTF-8, and \
        cannot be made again: drop it before the rebuild
        """
      )
    }
    var candidate = "new_\(name)"
    // Tables, views and indexes share their names.
    let taken = Set(objects.map(\.object.name.asciiLowercased))
    while taken.contains(candidate.asciiLowercased) { candidate += "_" }
    temporaryName = candidate
    lastRowID = try Self.lastRowID(of: name, in: schema, db)
  }

  /// Rebuilds the table.
  func run() throws {
    let enforcesForeignKeys = try db.enforcesForeignKeys
    let uses = try SchemaUses.working(db)
    try db.withoutForeignKeys {
      try db.withPlainRenaming {
        try db.define { try layout.write(to: &$0, name: temporaryName, schema: old.schema) }
        try copyRows()
        try db.run(sql: "DROP TABLE \(qualified(name))")
        let newName = name.quotedDatabaseIdentifier
        try db.run(sql: "ALTER TABLE \(qualified(temporaryName)) RENAME TO \(newName)")
      }
      try restoreLastRowID()
      try recreateDependents()
    }
    try uses.check(db)
    if enforcesForeignKeys { try checkForeignKeys() }
  }

  // MARK: - Rows

  private func copyRows() throws {
    let columns = try db.columns(in: temporaryName, in: old.schema)
    try checkSources(columns)
    var targets: [String] = []
    var sources: [SQLExpression] = []
    if let (target, source) = try rowIDs() {
      targets.append(target)
      sources.append(Column(source).sqlExpression)
    }
    for column in columns where !column.isGenerated {
      let source =
        definition.sources.last { column.is($0.column) }?.source
        ?? old.columnName(column.name).map { Column($0).sqlExpression }
      guard let source else { continue }
      targets.append(column.name)
      sources.append(source)
    }
    guard !targets.isEmpty else {
      throw Self.error(
        "the new table has no column of the old table \(name): create another table instead"
      )
    }
    let names = targets.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
    let values = sources.map { SQL($0) }.joined(separator: ", ")
    let insert = SQL(sql: "INSERT INTO \(qualified(temporaryName)) (\(names)) SELECT ")
    let copy = try db.makeStatement(
      literal: insert + values + SQL(sql: " FROM \(qualified(name))")
    )
    do {
      try copy.execute()
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      // The caller does not know the temporary name of the table.
      let reason = error.message?.replacing("\(temporaryName).", with: "\(name).") ?? "?"
      throw Self.error(
        "a row of \(name) does not fit its new definition: \(reason)",
        error.extendedResultCode
      )
    }
  }

  private func checkSources(_ columns: [ColumnInfo]) throws {
    for (name, _) in definition.sources {
      guard let column = columns.first(where: { $0.is(name) }) else {
        throw Self.error("the new table \(self.name) has no column \(name) to copy to")
      }
      guard !column.isGenerated else {
        throw Self.error("\(self.name).\(name) is generated: nothing can be copied to it")
      }
    }
  }

  /// The names of the row ids when the row ids of the new table are hidden. Row ids are kept
  /// because full-text tables may refer to them.
  private func rowIDs() throws -> (target: String, source: String)? {
    let new = try db.tableInfo(temporaryName, in: old.schema)
    guard new.primaryKey.rowIDColumn == nil, let target = new.rowIDName, let source = old.rowIDName
    else { return nil }
    return (target, source)
  }

  // MARK: - AUTOINCREMENT

  /// The largest row id that an `AUTOINCREMENT` table has ever used.
  private static func lastRowID(
    of table: String,
    in schema: String,
    _ db: Database
  ) throws -> Int64? {
    let schema = schema.quotedDatabaseIdentifier
    let sequences = try Int.fetchOne(
      db,
      sql: "SELECT count(*) FROM \(schema).sqlite_master WHERE name = 'sqlite_sequence'"
    )
    guard sequences == 1 else { return nil }
    return try Int64.fetchOne(
      db,
      sql: "SELECT seq FROM \(schema).sqlite_sequence WHERE name = ? COLLATE NOCASE",
      arguments: [table]
    )
  }

  /// Restores the `AUTOINCREMENT` counter, so that ids of deleted rows are not reused.
  private func restoreLastRowID() throws {
    guard let lastRowID, layout.isAutoincremented else { return }
    let sequences = "\(old.schema.quotedDatabaseIdentifier).sqlite_sequence"
    try db.execute(
      sql: "DELETE FROM \(sequences) WHERE name = ? COLLATE NOCASE",
      arguments: [name]
    )
    try db.execute(
      sql: "INSERT INTO \(sequences) (name, seq) VALUES (?, ?)",
      arguments: [name, lastRowID]
    )
  }

  // MARK: - Indexes and triggers

  private func recreateDependents() throws {
    for index in layout.indexes { try db.define(index.write) }
    let replaced = Set(layout.indexes.map(\.name.asciiLowercased))
    let triggers = try Set(db.schemaObjects(.trigger, in: "temp").map(\.name.asciiLowercased))
    for dependent in dependents {
      let object = dependent.object
      // The old table went with its triggers. Another one has a table of the same name elsewhere.
      if dependent.isTemporary, object.kind == .trigger,
        triggers.contains(object.name.asciiLowercased)
      {
        continue
      }
      guard let sql = object.sql,
        object.kind == .trigger || !replaced.contains(object.name.asciiLowercased)
      else { continue }
      do {
        try db.run(sql: dependent.sql(sql))
      } catch let error as DatabaseError {
        throw Self.error(
          """
          the \(object.kind.rawValue) \(object.name) cannot be created on the new table \(name) \
          (\(error.message ?? "?")): drop it before the rebuild
          """,
          error.extendedResultCode
        )
      }
    }
  }

  // MARK: - Foreign keys

  private func checkForeignKeys() throws {
    let table = name.asciiLowercased
    for child in try db.schemaObjects(.table, in: old.schema) {
      let isAffected =
        try child.name.asciiLowercased == table
        || db.foreignKeys(on: child.name, in: old.schema).contains {
          $0.destinationTable.asciiLowercased == table
        }
      if isAffected { try db.checkForeignKeys(in: child.name) }
    }
  }

  private func qualified(_ name: String) -> String {
    "\(old.schema.quotedDatabaseIdentifier).\(name.quotedDatabaseIdentifier)"
  }

  private static func error(
    _ message: String,
    _ code: ResultCode = .SQLITE_ERROR
  ) -> DatabaseError {
    DatabaseError(resultCode: code, message: message)
  }
}

extension RebuildPlan.Dependent {
  /// The statement that creates the dependent again. The schema stores the SQL of a temporary
  /// trigger without `TEMPORARY`.
  fileprivate func sql(_ sql: String) -> String {
    let prefix = "CREATE TRIGGER"
    guard isTemporary, object.kind == .trigger, sql.hasPrefix(prefix) else { return sql }
    return "CREATE TEMPORARY TRIGGER" + sql.dropFirst(prefix.count)
  }
}
