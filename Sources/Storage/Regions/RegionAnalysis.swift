/// Works out what a statement reads.
///
/// SQLite's authorizer tells most of it, but not the columns that `USING` and `NATURAL` join, nor the
/// columns behind a generated one, nor the tables behind a virtual one. So the compiled program is
/// read too (`EXPLAIN`): it names every b-tree that the statement opens and every column that it
/// loads. What either tells is in the region; where both are in doubt, the whole table is.
struct RegionAnalysis {
  /// The region of a statement, which is about to run in the current transaction.
  static func region(of statement: Statement) throws -> StatementRegion {
    let effects = statement.effects
    // A statement that reads no table, such as BEGIN.
    if !effects.readsPragma, effects.reads.isEmpty, effects.readsInUnknownSchema.isEmpty,
      effects.isTransactionControl
    {
      return StatementRegion(region: DatabaseRegion())
    }
    // What `EXPLAIN` tells depends on the schema, and on what `ANALYZE` has found.
    if effects.readsPragma || effects.writesPragma || statement.isExplanation {
      return StatementRegion(region: .fullDatabase)
    }
    let db = statement.database
    // What this analysis reads is not what the observation reads.
    let recorder = db.regionRecorder
    db.regionRecorder = nil
    defer { db.regionRecorder = recorder }
    let analysis = RegionAnalysis(
      effects: effects,
      schema: try db.currentRegionSchema(),
      program: try Program(explaining: statement.sql, db)
    )
    return analysis.region()
  }

  private let effects: StatementEffects
  private let schema: RegionSchema
  private let program: Program

  private func region() -> StatementRegion {
    var result = StatementRegion(region: DatabaseRegion())
    var columns = reportedColumns()
    let cursors = openedCursors()
    for (cursor, contents) in cursors {
      for content in contents {
        columns[content.table, default: []].formUnion(loadedColumns(of: content, cursor: cursor))
      }
    }

    for (name, columns) in columns {
      guard !name.isInternal else {
        let isOpened = cursors.values.contains { $0.contains { $0.table == name } }
        result.region.formUnion(Self.region(ofInternalTable: name, isOpened: isOpened))
        if result.region.isFullDatabase { return result }
        continue
      }
      guard let table = schema.tables[name] else {
        if Self.constantTables.contains(name.name) || isOfSchemaOrHeader(name) { continue }
        return StatementRegion(region: .fullDatabase)
      }
      switch table.kind {
      case .view:
        continue
      case .virtual:
        result.region.formUnion(schema.region(ofVirtualTable: name))
        if result.region.isFullDatabase { return result }
      case .table, .shadow:
        let read = isInDoubt(columns, of: table) ? nil : columns
        if let keys = lookupKeys(of: name, cursors: cursors) {
          for key in keys { add(key, name, read, to: &result) }
        } else {
          result.region.formUnion(
            DatabaseRegion(name, DatabaseRegion.Table(columns: read, rowIDs: nil))
          )
        }
      }
    }
    return result
  }

  /// What a query over one of SQLite's own tables depends on.
  ///
  /// - Parameters:
  ///   - name: The table.
  ///   - isOpened: Whether the program opens its b-tree.
  /// - Returns: Nothing for the schema, which changes with all else.
  private static func region(
    ofInternalTable name: TableName,
    isOpened: Bool
  ) -> DatabaseRegion {
    if schemaTables.contains(name.name) { return DatabaseRegion() }
    if name.name == sequenceTable { return DatabaseRegion(name, .all) }
    // An R-tree looks at the planner's statistics while a query on it is compiled, which reads none.
    if name.name.hasPrefix("sqlite_stat"), !isOpened { return DatabaseRegion() }
    // The others change without a word.
    return .fullDatabase
  }

  private func add(
    _ key: Program.Value,
    _ table: TableName,
    _ columns: Set<String>?,
    to result: inout StatementRegion
  ) {
    switch key {
    case .parameter(let index):
      result.lookups.append(.init(table: table, columns: columns, parameter: index))
    case .integer(let value):
      result.region.formUnion(
        DatabaseRegion(table, DatabaseRegion.Table(columns: columns, rowIDs: [value]))
      )
    }
  }

  /// The columns that the authorizer reported, by table.
  private func reportedColumns() -> [TableName: Set<String>] {
    var columns = effects.reads
    for name in effects.readsInUnknownSchema {
      let tables = schema.tables(named: name)
      for table in tables { columns[table.name, default: []].formUnion([]) }
      if tables.isEmpty {
        columns[TableName(schema: "main", name: name), default: []].formUnion([])
      }
    }
    return columns
  }

  /// What each cursor of the program walks over. A program may use one cursor for several b-trees.
  private func openedCursors() -> [Int64: [RegionSchema.Content]] {
    var cursors: [Int64: [RegionSchema.Content]] = [:]
    for instruction in program.instructions where instruction.opensTable {
      let root = RegionSchema.Root(database: Int(instruction.p3), page: Int(instruction.p2))
      // The schema table is not among the contents: it changes with the schema only.
      guard let content = schema.contents[root] else { continue }
      cursors[instruction.p1, default: []].append(content)
    }
    return cursors
  }

  /// The columns that the program loads from a b-tree. Those of an index also steer where it looks.
  private func loadedColumns(of content: RegionSchema.Content, cursor: Int64) -> Set<String> {
    guard let names = content.columns else {
      return Set(schema.tables[content.table]?.columns ?? [])
    }
    if content.isIndex { return Set(names) }
    return Set(
      program.instructions.compactMap { instruction in
        guard instruction.opcode == "Column", instruction.p1 == cursor,
          names.indices.contains(Int(instruction.p2))
        else { return nil }
        return names[Int(instruction.p2)]
      }
    )
  }

  /// Whether the program's column numbers have another order than the table's, or columns stand for
  /// others.
  private func isInDoubt(_ columns: Set<String>, of table: RegionSchema.Table) -> Bool {
    table.isWithoutRowID || !table.generatedColumns.isDisjoint(with: columns)
  }

  /// The row ids by which a table is looked up, when nothing else in the program reaches its rows;
  /// otherwise `nil`.
  private func lookupKeys(
    of table: TableName,
    cursors: [Int64: [RegionSchema.Content]]
  ) -> [Program.Value]? {
    let own = cursors.filter { $0.value.contains { $0.table == table } }
    guard !own.isEmpty, own.values.allSatisfy({ $0.count == 1 && !$0[0].isIndex }) else {
      return nil
    }
    var keys: [Program.Value] = []
    for cursor in own.keys {
      guard let found = program.keys(ofCursor: cursor) else { return nil }
      keys += found
    }
    return keys
  }

  /// Where SQLite keeps the last ids of `AUTOINCREMENT` tables. No hook tells of its rows: it counts as
  /// changed with each commit of this process that writes anything. https://www.sqlite.org/autoinc.html
  static let sequenceTable = "sqlite_sequence"

  /// Whether a table-valued function is a pragma whose value changes with the schema or with the header
  /// of the file only. Such changes count as everything.
  private func isOfSchemaOrHeader(_ table: TableName) -> Bool {
    guard table.name.hasPrefix("pragma_") else { return false }
    let pragma = String(table.name.dropFirst("pragma_".count))
    return Authorizer.schemaPragmas.contains(pragma) || Self.headerPragmas.contains(pragma)
  }

  private static let headerPragmas: Set<String> = ["application_id", "encoding", "user_version"]

  private static let schemaTables: Set<String> = [
    "sqlite_master", "sqlite_schema", "sqlite_temp_master", "sqlite_temp_schema",
  ]

  /// Table-valued functions whose rows depend on their arguments only.
  private static let constantTables: Set<String> = ["json_each", "json_tree", "generate_series"]
}

extension Database {
  /// The schema as the running transaction sees it.
  func currentRegionSchema() throws -> RegionSchema {
    let versions = try RegionSchema.versions(self)
    if let regionSchema, regionSchema.versions == versions { return regionSchema }
    let schema = try RegionSchema(self, versions: versions)
    regionSchema = schema
    return schema
  }
}
