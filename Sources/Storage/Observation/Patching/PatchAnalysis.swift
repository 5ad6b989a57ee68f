internal import CWellspringSQLite
internal import WellspringSystem

/// Proves that each row of a query comes from one row of one table, which may be joined with single
/// rows of other tables, and finds the statements that keep its result up to date.
///
/// The text of the query is cut into clauses, and the statements are made of these. Their
/// correctness is not concluded from the text, but from the programs that SQLite compiles: the
/// program of the query must consist of nested loops over tables, and the programs of the
/// statements must look up single rows, and read no further columns.
struct PatchAnalysis {
  /// Returns the plan for a query with its present arguments.
  ///
  /// - Parameters:
  ///   - statement: The query.
  ///   - kind: The part of its rows that is fetched.
  /// - Returns: The plan.
  /// - Throws: ``PatchObstacle`` where the proof fails.
  static func plan(
    for statement: Statement,
    _ kind: PatchPlan.Kind = .allRows
  ) throws -> PatchPlan {
    // The queries of this analysis are not part of an observed fetch.
    try statement.database.unrecorded { try analysis(of: statement, kind).plan() }
  }

  private static func analysis(
    of statement: Statement,
    _ kind: PatchPlan.Kind
  ) throws -> PatchAnalysis {
    let db = statement.database
    let values = statement.boundValues.map { $0 ?? .null }
    let text = try SelectText(statement.sql)
    // A sorter with several threads may not be stable.
    let threads = sqlite3_limit(db.sqliteConnection, SQLITE_LIMIT_WORKER_THREADS, -1)
    guard threads == 0 else { throw PatchObstacle.readsInUnknownOrder }
    guard text.parameterCount == Int(statement.parameterCount) else {
      throw PatchObstacle.hasUnknownParameters
    }
    let schema = try db.currentRegionSchema()
    return PatchAnalysis(
      db: db,
      statement: statement,
      text: text,
      searched: try searched(text, schema),
      kind: kind,
      schema: schema,
      values: values
    )
  }

  let db: Database
  let statement: Statement
  let text: SelectText
  /// The statement as it looks for single rows, and the roles of its subqueries.
  let searched: (text: SelectText, roles: [SubqueryRole])
  let kind: PatchPlan.Kind
  let schema: RegionSchema
  let values: [DatabaseValue]

  private func plan() throws -> PatchPlan {
    let tables = try tables()
    if text.cuts.isGrouped { return try groupedPlan(tables) }
    let inner = try subqueryTables(tables)
    try checkReads(tables, inner)
    let window = try window()
    try checkOptionalTables(tables, isWindow: window != nil)
    let program = try explain(statement.sql, values)
    try Self.checkFunctions(of: program, db)
    let order = try scanOrder(of: program, statement.sql, values, tables, inner)
    // Each row of one of the tables leads to one row of each other table.
    var obstacle = PatchObstacle.joinsSeveralRows
    for index in tables.indices where !tables[index].isOptional {
      do {
        return try plan(tables, index, inner, window, order)
      } catch let found as PatchObstacle {
        // The obstacles of the other tables are about tables that do not lead.
        if index == 0 { obstacle = found }
      }
    }
    throw obstacle
  }

  /// Returns the plan for rows that are told apart by the rows of one table.
  private func plan(
    _ tables: [PatchTable],
    _ index: Int,
    _ inner: SubqueryTables,
    _ window: PatchPlan.Window?,
    _ order: ScanOrder
  ) throws -> PatchPlan {
    var joined = tables
    let table = joined.remove(at: index)
    let isCounted = kind == .count
    // Their partners are not renumbered.
    guard !isCounted || joined.isEmpty && inner.partners.isEmpty || table.key.isRowID else {
      throw PatchObstacle.countsKeyedJoin
    }
    func plan(_ clauses: SelectText.Clauses, parameterCount: Int) -> PatchPlan {
      let textOrder = isCounted ? nil : clauses.order
      return PatchPlan(
        table: table.name,
        partners: joined.map(\.name) + inner.partners.map(\.table),
        soughtPartners: Set(
          joined.indices
            + inner.partners.indices.filter { inner.partners[$0].isSought }.map {
              $0 + joined.count
            }
        ),
        links: inner.links,
        others: inner.others,
        source: PatchPlan.Source(
          list: clauses.list,
          source: clauses.source,
          lookupSource: lookupSource(index, tables),
          condition: clauses.condition,
          key: table.key,
          partners: joined.map(\.key) + inner.partners.map { PatchKey(rowID: $0.column) },
          isJoined: !joined.isEmpty,
          groups: "",
          parameterCount: parameterCount
        ),
        whole: text.clauses,
        order: isCounted ? nil : text.order,
        totalOrder: order.terms(after: textOrder),
        window: window
      )
    }
    let found = plan(searched.text.clauses, parameterCount: text.parameterCount)
    try checkWhole(found, order, tables, inner)
    try checkReads(of: found, inner)
    if searched.text.subqueries.isEmpty {
      try checkLookups(of: found, tables, values)
    } else {
      // Which rows of the tables are looked up does not depend on the values of subqueries.
      let number = text.parameterCount + 1
      let outline = plan(searched.text.outline(parameter: number), parameterCount: number)
      try checkOutline(outline, values + [Self.value(1)])
      try checkLookups(of: outline, tables, values + [Self.value(1)])
      try checkSubqueryOrder(found)
    }
    return found
  }

  /// Returns the tables of the query. The table at `index` is looked up by row ids, and not by an
  /// index that the condition suggests.
  private func lookupSource(_ index: Int, _ tables: [PatchTable]) -> String {
    let text = searched.text
    guard tables.count > 1, tables[index].key.isRowID,
      let source = try? SelectSource.sources(in: text.content, text.cuts.source)[index],
      text.content.tokens[source.body.upperBound - 1].keyword != "INDEXED"
    else { return text.source }
    let body = "\(text.content.text(source.body)) NOT INDEXED"
    return text.content.text(text.cuts.source, replacing: [(source.body, body)])
  }

  // MARK: Tables

  /// Returns the tables that the query reads.
  private func tables() throws -> [PatchTable] {
    let effects = statement.effects
    guard text.tables.count <= Self.maximumTables else { throw PatchObstacle.readsOtherSource }
    return try text.tables.map { selected in
      let name = selected.name.asciiLowercased
      let read = effects.reads.keys.filter { $0.name == name }
      // SQLite reports a table without its schema when a query reads none of its columns, as
      // `SELECT 1 FROM item` does.
      let found = read.isEmpty ? schema.tables(named: name) : read.compactMap { schema.tables[$0] }
      guard found.count == 1, read.count == 1 || effects.readsInUnknownSchema.contains(name) else {
        throw PatchObstacle.readsOtherSource
      }
      return try patchTable(found[0], selected)
    }
  }

  /// Checks that the query reads no other tables.
  func checkReads(_ tables: [PatchTable], _ inner: SubqueryTables) throws {
    let effects = statement.effects
    let known = inner.tables.union(tables.map(\.name))
    let names = Set(known.map(\.name))
    guard effects.readsInUnknownSchema.isSubset(of: names) else {
      throw PatchObstacle.readsOtherSource
    }
    guard Set(effects.reads.keys).isSubset(of: known) else {
      throw names.isSuperset(of: effects.reads.keys.map(\.name))
        ? PatchObstacle.readsOtherSource : PatchObstacle.hasSubquery
    }
  }

  /// A join of more tables is not looked into.
  private static let maximumTables = 6

  private func patchTable(
    _ table: RegionSchema.Table,
    _ selected: SelectedTable
  ) throws -> PatchTable {
    guard table.kind != .view, !table.name.isInternal else { throw PatchObstacle.readsOtherSource }
    guard table.kind == .table else { throw PatchObstacle.readsVirtualTable }
    guard !table.isUnclear else { throw PatchObstacle.cannotNameRowID }
    // Commits to attached files are not numbered, and temporary tables differ by connection.
    guard table.name.schema == "main" else { throw PatchObstacle.readsOtherDatabase }
    return PatchTable(
      name: table.name,
      qualifier: selected.qualifier,
      key: try key(of: table, selected.qualifier),
      isOptional: selected.isOptional
    )
  }

  /// Returns the key that identifies the rows of a table.
  private func key(of table: RegionSchema.Table, _ qualifier: String) throws -> PatchKey {
    guard table.isWithoutRowID else {
      return PatchKey(rowID: "\(qualifier).\(try rowIDName(of: table))")
    }
    // Keys are compared by their bytes in UTF-8.
    let encoding = try String.fetchOne(db, sql: "PRAGMA main.encoding")
    guard encoding == "UTF-8", let key = try? TableKey(of: table.name, db),
      let patchKey = PatchKey(key, qualifier: qualifier)
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

  /// Checks that the right tables of left joins do not decide which rows the query has, and, for a
  /// window, in which order.
  ///
  /// A row without a partner would come where a row with a partner goes, though none of its own
  /// source rows has changed.
  private func checkOptionalTables(_ tables: [PatchTable], isWindow: Bool) throws {
    let optional = tables.filter(\.isOptional)
    guard !optional.isEmpty, !Fault.isOn(.patchOptional) else { return }
    // Without the table, the name of such a column would mean the row id of another table.
    let columns = optional.compactMap { schema.tables[$0.name]?.columns }.joined()
    guard !columns.contains(where: { RowIDName.all.contains($0.name) }) else {
      throw PatchObstacle.dependsOnMissingRow
    }
    let required = text.tables.filter { !$0.isOptional }
    // Its columns may belong to an optional table.
    guard required.allSatisfy({ !$0.isNatural }) else { throw PatchObstacle.dependsOnMissingRow }
    var sql = "SELECT 1 FROM " + required.map(\.text).joined(separator: " ")
    if let condition = text.condition { sql += " WHERE \(condition)" }
    if isWindow, let order = text.order {
      guard text.orderNamesOnlyQualifiedColumns else { throw PatchObstacle.dependsOnMissingRow }
      sql += " ORDER BY \(order)"
    }
    do {
      // A name in double quotes that is not known must not count as a string.
      try db.withoutQuotedStrings { _ = try db.makeStatement(sql: sql) }
    } catch is DatabaseError {
      throw PatchObstacle.dependsOnMissingRow
    }
  }

  func window() throws -> PatchPlan.Window? {
    guard let limit = text.limit else {
      return kind == .firstRow ? PatchPlan.Window(limit: 1, offset: 0) : nil
    }
    guard kind != .count else { throw PatchObstacle.countsWindow }
    let window = try PatchPlan.Window(
      limit: limit,
      offset: text.offset,
      parameterCount: text.parameterCount,
      values,
      db
    )
    guard kind == .firstRow else { return window }
    return PatchPlan.Window(limit: min(window.limit, 1), offset: window.offset)
  }

  // MARK: Programs

  func explain(_ sql: String, _ values: [DatabaseValue]) throws -> ExplainedProgram {
    try compiling {
      try ExplainedProgram(explaining: sql, arguments: Self.arguments(values), db)
    }
  }

  func compiling<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch is DatabaseError {
      throw PatchObstacle.cannotBeCompiled
    }
  }

  /// Finds out in which order a statement finds its rows.
  func scanOrder(
    of program: ExplainedProgram,
    _ sql: String,
    _ values: [DatabaseValue],
    _ tables: [PatchTable],
    _ inner: SubqueryTables
  ) throws -> ScanOrder {
    guard kind != .count else {
      // The order of rows that are counted does not matter.
      return ScanOrder(
        loops: tables.prefix(1).map { ScanOrder.Loop(over: $0, isReversed: false) },
        isSorted: false
      )
    }
    let program = try program.withoutSubqueries(inner.tables, schema)
    return try ScanOrder.order(of: program, tables, schema, db) {
      try queryPlan(of: sql, values).map { $0["detail"] }
    }
  }

  static func checkFunctions(of program: ExplainedProgram, _ db: Database) throws {
    let aggregates = Set(
      program.instructions.filter { $0.opcode.hasPrefix("Agg") }
        .compactMap { $0.function?.asciiLowercased }
    )
    for name in aggregates {
      let isBuiltIn = try Bool.fetchOne(
        db,
        sql: "SELECT min(builtin) FROM pragma_function_list WHERE lower(name) = ?",
        arguments: [name]
      )
      guard isBuiltIn == true else { throw PatchObstacle.callsFunction(name) }
    }
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
      guard unsteady != nil, !clocks.contains(name) else {
        throw PatchObstacle.callsFunction(name)
      }
    }
  }

  /// Functions that SQLite calls deterministic though `'now'` is an argument of them.
  private static let clocks: Set<String> = [
    "current_date", "current_time", "current_timestamp", "date", "datetime", "julianday",
    "strftime", "time", "timediff", "unixepoch",
  ]

  static func value(_ number: Int) -> DatabaseValue {
    DatabaseValue(storage: .int64(Int64(number)))
  }

  static func arguments(_ values: [DatabaseValue]) -> StatementArguments {
    StatementArguments(values: values, namedValues: [:])
  }
}

extension PatchPlan.Window {
  /// Computes the window of a query.
  ///
  /// - Parameters:
  ///   - limit: The `LIMIT`.
  ///   - offset: The `OFFSET`.
  ///   - parameterCount: How many parameters the query has.
  ///   - values: Their values.
  ///   - db: The connection.
  /// - Throws: ``PatchObstacle`` for a window that is not known, or too large.
  init(
    limit: String,
    offset: String?,
    parameterCount: Int,
    _ values: [DatabaseValue],
    _ db: Database
  ) throws {
    let sql = "SELECT \(limit), \(offset ?? "0"), ?\(parameterCount + 1)"
    let row: Row?
    do {
      row = try Row.fetchOne(db, sql: sql, arguments: PatchAnalysis.arguments(values + [.null]))
    } catch is DatabaseError {
      throw PatchObstacle.cannotBeCompiled
    }
    guard let count = row?.databaseValues[0], let start = row?.databaseValues[1],
      case .int64(let count) = count.storage, case .int64(let start) = start.storage,
      // With a negative limit, SQLite returns all rows.
      count >= 0
    else { throw PatchObstacle.hasUnknownLimit }
    let maximum = Int64(Self.maximumEnd)
    guard count <= maximum, start <= maximum else { throw PatchObstacle.hasLargeWindow }
    self.init(limit: Int(count), offset: Int(max(start, 0)))
  }
}
