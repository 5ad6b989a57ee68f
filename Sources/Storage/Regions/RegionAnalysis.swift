internal import WellspringSystem

/// Works out the region of a statement.
///
/// SQLite's authorizer reports most of it. It does not report the columns that `USING` and
/// `NATURAL` join, the columns that a generated column is computed from, and the tables behind a
/// virtual table. So the analysis also reads the compiled program (`EXPLAIN`), which names every
/// b-tree that the statement opens and every column that it loads. The region contains the reports
/// of both sources, and the whole table where both are in doubt.
struct RegionAnalysis {
  /// Returns the region of a statement that is about to run in the current transaction. With
  /// `arguments`, it is the region of the program that SQLite compiles for them.
  static func region(
    of statement: Statement,
    arguments: StatementArguments? = nil
  ) throws -> StatementRegion {
    let effects = statement.effects
    // The statement reads no table, such as BEGIN.
    if !effects.readsPragma, effects.reads.isEmpty, effects.readsInUnknownSchema.isEmpty,
      effects.isTransactionControl
    {
      return StatementRegion(region: DatabaseRegion())
    }
    // The rows of an `EXPLAIN` depend on the schema, and on the statistics of `ANALYZE`.
    if effects.readsPragma || effects.writesPragma || statement.isExplanation {
      return StatementRegion(region: .fullDatabase)
    }
    let db = statement.database
    // The queries of this analysis are not part of an observed fetch.
    return try db.unrecorded {
      let schema = try db.currentRegionSchema()
      let analysis = RegionAnalysis(
        effects: effects,
        schema: schema,
        modules: try modules(effects, schema, db),
        program: try ExplainedProgram(explaining: statement.sql, arguments: arguments, db)
      )
      return analysis.region()
    }
  }

  private let effects: StatementEffects
  private let schema: RegionSchema
  /// The modules of virtual tables, as far as they are needed.
  private let modules: Set<String>
  private let program: ExplainedProgram

  /// Returns the modules of virtual tables if the statement reads a name that no table has.
  private static func modules(
    _ effects: StatementEffects,
    _ schema: RegionSchema,
    _ db: Database
  ) throws -> Set<String> {
    guard effects.readsInUnknownSchema.contains(where: { schema.tables(named: $0).isEmpty }) else {
      return []
    }
    let rows = try Row.fetchAll(db, sql: "SELECT name FROM pragma_module_list")
    return Set(rows.compactMap { $0.schemaText("name")?.asciiLowercased })
  }

  private func region() -> StatementRegion {
    var result = StatementRegion(region: DatabaseRegion())
    var columns = reportedColumns()
    guard let cursors = openedCursors() else {
      return StatementRegion(region: .fullDatabase)
    }
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
        let read = isInDoubt(columns, of: table) ? Extent.all : .some(columns)
        if let keys = lookupKeys(of: name, cursors: cursors) {
          result.conditions.append(condition(onRowID: .values(keys), of: table, read))
        } else if let found = conditions(of: table, read, cursors: cursors) {
          result.conditions += found
        } else {
          result.region.formUnion(
            DatabaseRegion(name, DatabaseRegion.Table(columns: read, rowIDs: .all))
          )
        }
      }
    }
    if !result.region.isEmpty { result.patterns = program.patternParameters }
    return result
  }

  /// Returns the region of a query over an internal table of SQLite.
  ///
  /// - Parameters:
  ///   - name: The table.
  ///   - isOpened: Whether the program opens its b-tree.
  /// - Returns: The region. It is empty for the schema, because a change of the schema counts as a
  ///   change of everything.
  private static func region(
    ofInternalTable name: TableName,
    isOpened: Bool
  ) -> DatabaseRegion {
    if schemaTables.contains(name.name) { return DatabaseRegion() }
    if name.name == sequenceTable { return DatabaseRegion(name, .all) }
    // SQLite reads the planner's statistics while it compiles a query over an R-tree. The query
    // itself does not read them.
    if name.name.hasPrefix("sqlite_stat"), !isOpened { return DatabaseRegion() }
    // SQLite reports no changes of the other internal tables.
    return .fullDatabase
  }

  private func condition(
    onRowID wanted: ExplainedProgram.Condition.Wanted,
    of table: RegionSchema.Table,
    _ columns: Extent<ColumnName>
  ) -> StatementRegion.Condition {
    StatementRegion.Condition(
      table: table.name,
      columns: columns,
      column: table.rowIDColumn.map { ConditionColumn(rowIDNamed: $0) } ?? .rowID,
      affinity: .numeric,
      wanted: wanted,
      comparesTexts: false
    )
  }

  /// Returns the columns that the authorizer reported, by table.
  private func reportedColumns() -> [TableName: Set<ColumnName>] {
    var columns = effects.reads
    for name in effects.readsInUnknownSchema {
      let tables = schema.tables(named: name)
      for table in tables { columns[table.name, default: []].formUnion([]) }
      // A module can be read as a table without being one. Any other name belongs to a common table
      // expression, which has the region of its own query.
      if tables.isEmpty, modules.contains(name) {
        columns[TableName(schema: "main", name: name), default: []].formUnion([])
      }
    }
    return columns
  }

  /// Returns the b-trees that each cursor reads; `nil` if one of them is unknown. A program may use
  /// one cursor for several b-trees.
  private func openedCursors() -> [Int64: [RegionSchema.Content]]? {
    if Fault.isOn(.noExplain) { return [:] }
    var cursors: [Int64: [RegionSchema.Content]] = [:]
    for instruction in program.instructions where instruction.opensTable {
      let root = Self.root(instruction)
      // The schema table is not among the contents, because it only changes with the schema.
      if root.page == RegionSchema.schemaPage { continue }
      guard let content = schema.contents[root] else { return nil }
      cursors[instruction.p1, default: []].append(content)
    }
    return cursors
  }

  /// Returns the b-tree that an instruction opens.
  private static func root(_ opening: ExplainedProgram.Instruction) -> RegionSchema.Root {
    RegionSchema.Root(database: Int(opening.p3), page: Int(opening.p2))
  }

  /// Returns the columns that the program loads from a b-tree: for an index, all of its columns,
  /// because they determine where the program searches, and in which order it finds rows; none if
  /// the program uses the index only because it is smaller than the table.
  private func loadedColumns(of content: RegionSchema.Content, cursor: Int64) -> Set<ColumnName> {
    if Fault.isOn(.loadedColumns) { return [] }
    guard let names = content.columns else {
      return program.onlyCountsRows(ofCursor: cursor)
        ? [] : Set(schema.tables[content.table]?.columns ?? [])
    }
    if content.isIndex { return program.onlyCountsRows(ofCursor: cursor) ? [] : Set(names) }
    return Set(
      program.instructions.compactMap { instruction in
        guard instruction.opcode == "Column", instruction.p1 == cursor,
          names.indices.contains(Int(instruction.p2))
        else { return nil }
        return names[Int(instruction.p2)]
      }
    )
  }

  /// Returns whether the reported columns are unreliable: the program numbers the columns in
  /// another order than the table declares, some of the columns are generated, or the columns are
  /// unknown.
  private func isInDoubt(_ columns: Set<ColumnName>, of table: RegionSchema.Table) -> Bool {
    table.isWithoutRowID || table.isUnclear || !table.generatedColumns.isDisjoint(with: columns)
  }

  /// Returns the row ids by which the program looks up rows of a table, if it reads the table in no
  /// other way; otherwise `nil`.
  private func lookupKeys(
    of table: TableName,
    cursors: [Int64: [RegionSchema.Content]]
  ) -> [ExplainedProgram.Value]? {
    let own = cursors.filter { $0.value.contains { $0.table == table } }
    guard !own.isEmpty, own.values.allSatisfy({ $0.count == 1 && !$0[0].isIndex }) else {
      return nil
    }
    var keys: [ExplainedProgram.Value] = []
    for cursor in own.keys {
      guard let found = program.keys(ofCursor: cursor) else { return nil }
      keys += found
    }
    return keys
  }

  /// Returns the values of the rows of a table that matter to the program, if it looks for values
  /// wherever it reads the table; otherwise `nil`.
  private func conditions(
    of table: RegionSchema.Table,
    _ columns: Extent<ColumnName>,
    cursors: [Int64: [RegionSchema.Content]]
  ) -> [StatementRegion.Condition]? {
    guard !table.isUnclear else { return nil }
    let own = cursors.filter { $0.value.contains { $0.table == table.name } }
    let indexes = Set(own.filter { $0.value.allSatisfy(\.isIndex) }.keys)
    var conditions: [StatementRegion.Condition] = []
    for cursor in own.keys {
      if !indexes.isEmpty, !indexes.contains(cursor), program.follows(cursor, indexes: indexes) {
        continue
      }
      guard let found = program.conditions(ofCursor: cursor) else { return nil }
      for condition in found {
        guard let resolved = resolve(condition, table, columns, cursors) else { return nil }
        conditions.append(resolved)
      }
    }
    return conditions.isEmpty ? nil : conditions
  }

  /// Returns a condition with the column whose values a loop looks for; `nil` if it is not known
  /// which stored values are equal to the wanted values.
  private func resolve(
    _ condition: ExplainedProgram.Condition,
    _ table: RegionSchema.Table,
    _ columns: Extent<ColumnName>,
    _ cursors: [Int64: [RegionSchema.Content]]
  ) -> StatementRegion.Condition? {
    func resolved(
      _ name: ColumnName,
      _ collation: RowKeyCollation,
      _ wanted: ExplainedProgram.Condition.Wanted,
      comparesTexts: Bool
    ) -> StatementRegion.Condition? {
      if name == table.rowIDColumn { return self.condition(onRowID: wanted, of: table, columns) }
      guard let affinity = table.affinity(of: name) else { return nil }
      return StatementRegion.Condition(
        table: table.name,
        columns: columns,
        column: ConditionColumn(name: name, collation: collation),
        affinity: affinity,
        wanted: wanted,
        comparesTexts: comparesTexts
      )
    }

    switch condition.column {
    case .first(let opening, let applied):
      guard let index = schema.contents[Self.root(opening)], index.table == table.name,
        index.isIndex || table.isWithoutRowID, let name = index.columns?.first,
        let collation = index.firstCollation, let affinity = table.affinity(of: name),
        applied.allSatisfy(affinity.absorbs)
      else { return nil }
      return resolved(
        name,
        collation,
        index.firstIsDescending && !Fault.isOn(.valueDescending)
          ? condition.wanted.reversed : condition.wanted,
        comparesTexts: applied.contains(.text)
      )
    case .rowID:
      guard !table.isWithoutRowID else { return nil }
      return self.condition(onRowID: condition.wanted, of: table, columns)
    case .tested(let cursor, let number, let collationName, let compared):
      guard let contents = cursors[cursor], contents.count == 1, contents[0].table == table.name,
        let names = contents[0].columns, names.indices.contains(Int(number)),
        let affinity = table.affinity(of: names[Int(number)]),
        // Otherwise, the comparison converts the stored value.
        compared == affinity || compared == .blob,
        let collation = RowKeyCollation(collationName)
      else { return nil }
      return resolved(
        names[Int(number)],
        collation,
        condition.wanted,
        comparesTexts: compared == .text
      )
    }
  }

  /// The table in which SQLite keeps the last ids of `AUTOINCREMENT` tables.
  ///
  /// No hook reports changes of its rows, so each commit of this process that writes anything
  /// counts as a change of it. https://www.sqlite.org/autoinc.html
  static let sequenceTable = "sqlite_sequence"

  /// Returns whether a table-valued function is a pragma whose value changes only with the schema
  /// or with the header of the file. Such a change counts as a change of everything.
  private func isOfSchemaOrHeader(_ table: TableName) -> Bool {
    guard table.name.hasPrefix("pragma_") else { return false }
    let pragma = String(table.name.dropFirst("pragma_".count))
    return Authorizer.schemaPragmas.contains(pragma) || Self.headerPragmas.contains(pragma)
  }

  private static let headerPragmas: Set<String> = ["application_id", "encoding", "user_version"]

  private static let schemaTables: Set<String> = [
    "sqlite_master", "sqlite_schema", "sqlite_temp_master", "sqlite_temp_schema",
  ]

  /// Table-valued functions whose rows depend only on their arguments.
  private static let constantTables: Set<String> = ["json_each", "json_tree", "generate_series"]
}
