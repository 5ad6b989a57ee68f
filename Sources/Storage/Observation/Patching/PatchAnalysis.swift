internal import CWellspringSQLite

/// Proves that each row of a query comes from one row of one table, and finds the statements by
/// which its result is kept up to date.
///
/// The text of the query is cut into its clauses, of which the statements are made. Whether they
/// do what they should is not concluded from the text, but from what SQLite compiles: the program
/// of the query must have one loop over one table, and the programs of the statements must look up
/// single rows, and read no further columns.
struct PatchAnalysis {
  /// Returns the plan for a query with its present arguments.
  ///
  /// - Parameters:
  ///   - statement: The query.
  ///   - kind: What is fetched of its rows.
  /// - Returns: The plan.
  /// - Throws: ``PatchObstacle`` where the proof fails.
  static func plan(
    for statement: Statement,
    _ kind: PatchPlan.Kind = .allRows
  ) throws -> PatchPlan {
    let db = statement.database
    // The queries of this analysis must not be recorded as part of an observed fetch.
    let recorder = db.regionRecorder
    db.regionRecorder = nil
    defer { db.regionRecorder = recorder }
    let values = statement.boundValues.map { $0 ?? .null }
    let text = try SelectText(statement.sql)
    // A sorter with several threads may not be stable.
    let threads = sqlite3_limit(db.sqliteConnection, SQLITE_LIMIT_WORKER_THREADS, -1)
    guard threads == 0 else { throw PatchObstacle.readsInUnknownOrder }
    guard text.parameterCount == Int(statement.parameterCount) else {
      throw PatchObstacle.hasUnknownParameters
    }
    let analysis = PatchAnalysis(
      db: db,
      statement: statement,
      text: text,
      kind: kind,
      schema: try db.currentRegionSchema(),
      values: values
    )
    return try analysis.plan()
  }

  private let db: Database
  private let statement: Statement
  private let text: SelectText
  private let kind: PatchPlan.Kind
  private let schema: RegionSchema
  private let values: [DatabaseValue]

  private func plan() throws -> PatchPlan {
    let table = try table()
    let source = PatchPlan.Source(
      list: text.list,
      source: text.source,
      condition: text.condition,
      key: try key(of: table),
      parameterCount: text.parameterCount
    )
    let window = try window()
    var program = try explain(statement.sql, values)
    try checkFunctions(of: program)
    if kind == .count {
      // The order does not matter.
      program = try explain(source.sql, values)
    }
    let textOrder = kind == .count ? nil : text.order
    let order = try scanOrder(of: program, table.name, source.key)
    let plan = PatchPlan(
      table: table.name,
      source: source,
      order: textOrder,
      totalOrder: order.terms(after: textOrder, rowID: source.key.rowID),
      window: window
    )
    try check(plan, order)
    return plan
  }

  /// Returns the only table that the query reads.
  private func table() throws -> RegionSchema.Table {
    let effects = statement.effects
    guard effects.reads.count == 1, effects.readsInUnknownSchema.isEmpty,
      let name = effects.reads.keys.first, !name.isInternal,
      name.name == text.table.asciiLowercased,
      let table = schema.tables[name]
    else {
      // A query that reads no column, as `SELECT 1 FROM item`, is reported without the schema.
      guard effects.reads.isEmpty, effects.readsInUnknownSchema == [text.table.asciiLowercased],
        case let tables = schema.tables(named: text.table), tables.count == 1
      else { throw PatchObstacle.readsSeveralTables }
      return try withKeys(tables[0])
    }
    return try withKeys(table)
  }

  private func withKeys(_ table: RegionSchema.Table) throws -> RegionSchema.Table {
    guard table.kind == .table, !table.name.isInternal else {
      throw PatchObstacle.readsVirtualTable
    }
    guard !table.isUnclear else { throw PatchObstacle.cannotNameRowID }
    // Commits to attached files are not numbered, and temporary tables differ by connection.
    guard table.name.schema == "main" else { throw PatchObstacle.readsOtherDatabase }
    return table
  }

  /// Returns what identifies the rows of the table.
  private func key(of table: RegionSchema.Table) throws -> PatchKey {
    guard table.isWithoutRowID else {
      return PatchKey(rowID: "\(text.qualifier).\(try rowIDName(of: table))")
    }
    // Keys are compared by their bytes in UTF-8.
    let encoding = try String.fetchOne(db, sql: "PRAGMA main.encoding")
    guard encoding == "UTF-8", let key = try? TableKey(of: table.name, db),
      let patchKey = PatchKey(key, qualifier: text.qualifier)
    else { throw PatchObstacle.cannotCompareKeys }
    return patchKey
  }

  /// Returns a name of the row id that no column has.
  private func rowIDName(of table: RegionSchema.Table) throws -> String {
    guard let name = RowIDName.free(of: table.columns.map(\.name)) else {
      throw PatchObstacle.cannotNameRowID
    }
    return name
  }

  private func window() throws -> PatchPlan.Window? {
    guard let limit = text.limit else {
      return kind == .firstRow ? PatchPlan.Window(limit: 1, offset: 0) : nil
    }
    guard kind != .count else { throw PatchObstacle.countsWindow }
    let sql = "SELECT \(limit), \(text.offset ?? "0"), ?\(text.parameterCount + 1)"
    let row = try compiling {
      try Row.fetchOne(db, sql: sql, arguments: Self.arguments(values + [.null]))
    }
    guard let count = row?.databaseValues[0], let offset = row?.databaseValues[1],
      case .int64(let count) = count.storage, case .int64(let offset) = offset.storage,
      // A negative limit is none.
      count >= 0
    else { throw PatchObstacle.hasUnknownLimit }
    let maximum = Int64(PatchPlan.Window.maximumEnd)
    guard count <= maximum, offset <= maximum else { throw PatchObstacle.hasLargeWindow }
    return PatchPlan.Window(
      limit: kind == .firstRow ? min(Int(count), 1) : Int(count),
      offset: Int(max(offset, 0))
    )
  }

  // MARK: Programs

  private func explain(_ sql: String, _ values: [DatabaseValue]) throws -> ExplainedProgram {
    try compiling {
      try ExplainedProgram(explaining: sql, arguments: Self.arguments(values), db)
    }
  }

  private func compiling<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch is DatabaseError {
      throw PatchObstacle.cannotBeCompiled
    }
  }

  private func scanOrder(
    of program: ExplainedProgram,
    _ table: TableName,
    _ key: PatchKey
  ) throws -> ScanOrder {
    // The order of rows that are counted does not matter.
    guard kind != .count else {
      _ = try ScanOrder.loop(of: program, table, schema)
      return ScanOrder(indexTerms: key.terms(isReversed: false), isReversed: false, isSorted: false)
    }
    return try ScanOrder.order(of: program, table, schema, key, qualifier: text.qualifier, db)
  }

  private func checkFunctions(of program: ExplainedProgram) throws {
    let names = Set(
      program.instructions.filter { $0.opcode == "Function" || $0.opcode == "PureFunc" }
        .map { $0.function?.asciiLowercased ?? "?" }
    )
    for name in names {
      let unsteady = try Int.fetchOne(
        db,
        sql: """
          SELECT count(*) FROM pragma_function_list WHERE lower(name) = ? AND type = 's'
          HAVING count(*) > 0 AND min(flags & ?) > 0
          """,
        arguments: [name, Int(SQLITE_DETERMINISTIC)]
      )
      guard unsteady != nil, !Self.clocks.contains(name) else {
        throw PatchObstacle.callsFunction(name)
      }
    }
  }

  /// Functions that SQLite calls deterministic though `'now'` is an argument of them.
  private static let clocks: Set<String> = [
    "current_date", "current_time", "current_timestamp", "date", "datetime", "julianday",
    "strftime", "time", "timediff", "unixepoch",
  ]

  // MARK: The plan's statements

  /// Checks that the statements of a plan read what the query reads, and no row that is not looked
  /// up.
  private func check(_ plan: PatchPlan, _ order: ScanOrder) throws {
    let whole = values + (plan.window == nil ? [] : [Self.value(1)])
    let key = plan.source.key
    guard try scanOrder(of: explain(plan.wholeSQL, whole), plan.table, key) == order else {
      throw PatchObstacle.readsInUnknownOrder
    }
    let keySQL = "SELECT \(key.columnsSQL) FROM \(plan.source.source)"
    let columns = try compiling {
      try readColumns(statement.sql, plan.table, values)
        .union(readColumns(keySQL, plan.table, []))
    }
    let lookups =
      PatchPlan.sortSizes.map { (plan.sortSQL(count: $0), $0) }
      + PatchPlan.lookupSizes.prefix(3).map { (plan.changedSQL(count: $0), $0) }
    for (sql, count) in lookups {
      let ids = (1...count * key.columns.count).map { Self.value($0) }
      let read = try compiling { try readColumns(sql, plan.table, values + ids) }
      guard read.isSubset(of: columns) else { throw PatchObstacle.readsOtherColumns }
      guard try ScanOrder.looksUpRows(explain(sql, values + ids), key, schema) else {
        // SQLite reads a table as a whole when its statistics say that it is small.
        throw PatchObstacle.scansForChangedRows
      }
    }
  }

  /// Returns the columns of the table that a statement reads.
  private func readColumns(
    _ sql: String,
    _ table: TableName,
    _ values: [DatabaseValue]
  ) throws -> Set<ColumnName> {
    let statement = try db.makeStatement(sql: sql)
    try statement.setArguments(Self.arguments(values))
    let region = try statement.databaseRegion()
    // A statement that reads no column may be reported for each table with this name. The name
    // stands for the same table as in the query.
    guard let tables = region.tables, let part = tables[table],
      tables.keys.allSatisfy({ $0.name == table.name })
    else { throw PatchObstacle.readsOtherColumns }
    return part.columns.elements ?? Set(schema.tables[table]?.columns ?? [])
  }

  private static func value(_ number: Int) -> DatabaseValue {
    DatabaseValue(storage: .int64(Int64(number)))
  }

  private static func arguments(_ values: [DatabaseValue]) -> StatementArguments {
    StatementArguments(values: values, namedValues: [:])
  }
}
