internal import WellspringSystem

/// Requests with associated rows that further statements fetch: `including(all:)`.
///
/// A row is associated with another row if its column equals the other row's id. The associated
/// rows depend on nothing else. So a changed associated row touches the rows that this column leads
/// to, before and after the change, like a row of a correlated subquery. The associated rows of a
/// touched row are fetched again.
extension PatchAnalysis {
  /// Returns the plan for a request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - statement: Its statement, or a statement with the same rows that reads tables in place of
  ///     views.
  ///   - kind: The part of its rows that is fetched.
  /// - Returns: The plan.
  /// - Throws: ``PatchObstacle`` where the proof fails.
  static func plan(
    for request: PreparedRequest,
    _ statement: Statement,
    _ kind: PatchPlan.Kind
  ) throws -> PatchPlan {
    var plan = try plan(for: statement, kind)
    guard !request.prefetches.isEmpty else { return plan }
    let db = statement.database
    try db.unrecorded {
      // The columns of a view belong to other tables there.
      guard statement === request.statement, let name = request.tableName else {
        throw PatchObstacle.fetchesFurtherRows
      }
      let rows = OuterRows(
        name: name,
        table: plan.table,
        text: try SelectText(statement.sql),
        values: statement.boundValues.map { $0 ?? .null }
      )
      for prefetch in request.prefetches { try add(prefetch, of: rows, to: &plan, db) }
    }
    guard !plan.others.contains(plan.table) else { throw PatchObstacle.readsTableTwice }
    return plan
  }

  /// Adds associated rows to a plan, and the associated rows of these.
  private static func add(
    _ prefetch: Prefetch,
    of outer: OuterRows,
    to plan: inout PatchPlan,
    _ db: Database
  ) throws {
    guard prefetch.scope.isEmpty, prefetch.columns.count == 1 else {
      throw PatchObstacle.fetchesFurtherRows
    }
    let pairs = try prefetch.path.columnPairs(from: TableReference(tableName: outer.name), db)
    let rows = try AssociatedRows(prefetch, db)
    let links = try rows.links(to: outer, pairs[0].origin)
    let linked = Set(links.map(\.table))
    // Other keys may be written in other ways, and their order is unknown.
    guard !linked.isEmpty else { throw PatchObstacle.fetchesFurtherRows }
    plan.addPrefetch(links, others: rows.tables.subtracting(linked))
    guard !rows.prefetches.isEmpty else { return }
    // Which rows of a join have the further ones is not known.
    guard rows.tables.count == 1, let link = links.first else {
      throw PatchObstacle.fetchesFurtherRows
    }
    plan.add(try PatchChain(link, db.currentRegionSchema()))
    let inner = OuterRows(
      name: link.table.name,
      table: link.table,
      text: try SelectText("SELECT * FROM main.\(link.table.name.quotedDatabaseIdentifier)"),
      values: []
    )
    for prefetch in rows.prefetches { try add(prefetch, of: inner, to: &plan, db) }
  }
}

/// The rows that have associated rows.
private struct OuterRows {
  /// The name of their table in the request.
  let name: String
  let table: TableName
  /// A query of them.
  let text: SelectText
  /// The values of its parameters.
  let values: [DatabaseValue]
}

/// The analysis of a statement that fetches associated rows.
private struct AssociatedRows {
  private let prefetch: Prefetch
  private let db: Database
  /// The tables that it reads.
  let tables: Set<TableName>
  /// The associated rows that these have themselves.
  let prefetches: [Prefetch]
  /// The statement for the rows of one key, without a limit.
  private let text: SelectText

  init(_ prefetch: Prefetch, _ db: Database) throws {
    self.prefetch = prefetch
    self.db = db
    let request = try Self.request(prefetch, keys: 1, limit: nil, db)
    let statement = request.statement
    prefetches = request.prefetches
    text = try SelectText(statement.sql)
    let schema = try db.currentRegionSchema()
    tables = Set(statement.effects.reads.keys)
    let names = Set(tables.map(\.name))
    // With subqueries or groups, the rows of one key may depend on the rows of other keys.
    guard text.subqueries.isEmpty, !text.cuts.isGrouped, text.tables.count == tables.count,
      Set(text.tables.map(\.name.asciiLowercased)) == names
    else { throw PatchObstacle.fetchesFurtherRows }
    guard statement.effects.readsInUnknownSchema.isSubset(of: names) else {
      throw PatchObstacle.readsOtherSource
    }
    for name in tables {
      guard let table = schema.tables[name], table.kind == .table, !table.isUnclear,
        name.schema == "main", !name.isInternal
      else { throw PatchObstacle.readsOtherSource }
    }
    try ScanOrder.checkInstructions(of: program(of: statement))
    try checkOrder()
  }

  /// Prepares the request of the rows of some keys.
  private static func request(
    _ prefetch: Prefetch,
    keys count: Int,
    limit: LimitClause?,
    _ db: Database
  ) throws -> PreparedRequest {
    var keys = PrefetchKeys(prefetch, db)
    for key in 1...count { _ = try keys.insert([key.databaseValue]) }
    let grouping = SelectStatement.Grouping(
      path: prefetch.grouping.path,
      columns: prefetch.grouping.columns,
      limit: limit
    )
    return try prefetch.query(keys).prepare(db, groupedBy: grouping).request
  }

  /// Numbers of keys: for some of them, the list of keys has another form.
  private static let keyCounts = [1, 2, 3, 10, 50, 100, 101, 1000]

  /// Checks that the rows of a key are found in the same order for one key and for many, and that
  /// no function depends on anything but its arguments.
  private func checkOrder() throws {
    var orders: Set<[String]> = []
    for count in Self.keyCounts {
      let limit = prefetch.grouping.limit
      let statement = try Self.request(prefetch, keys: count, limit: limit, db).statement
      let program = try program(of: statement)
      try PatchAnalysis.checkFunctions(of: program, db)
      orders.insert(try Self.steps(of: program) + lines(of: statement))
    }
    guard orders.count == 1 else { throw PatchObstacle.readsInUnknownOrder }
  }

  private func program(of statement: Statement) throws -> ExplainedProgram {
    try ExplainedProgram(explaining: statement.sql, arguments: Self.arguments(of: statement), db)
  }

  private static func arguments(of statement: Statement) -> StatementArguments {
    StatementArguments(values: statement.boundValues.map { $0 ?? .null }, namedValues: [:])
  }

  /// The steps of the loops over tables and indexes, and their directions.
  private static func steps(of program: ExplainedProgram) -> [String] {
    let opened = program.instructions.filter { $0.opcode == "OpenRead" }
    let roots = Dictionary(opened.map { ($0.p1, $0.p2) }) { first, _ in first }
    return program.instructions.compactMap { instruction in
      guard ScanOrder.steps.contains(instruction.opcode) else { return nil }
      return roots[instruction.p1].map { "\(instruction.opcode) \($0)" }
    }
  }

  /// How SQLite runs a statement, line by line, without the list of keys.
  private func lines(of statement: Statement) throws -> [String] {
    let sql = "EXPLAIN QUERY PLAN \(statement.sql)"
    return try Row.fetchAll(db, sql: sql, arguments: Self.arguments(of: statement))
      .map { row -> String in row["detail"] }
      .filter { !$0.contains("json_each") && !$0.hasPrefix("LIST SUBQUERY") }
      // The list of keys may be a subquery, and changes the numbers of the other ones.
      .map { $0.contains("(subquery-") ? String($0.prefix { $0 != "(" }) : $0 }
  }

  /// Returns the columns of the tables that lead to the rows around them; none where that is not
  /// known.
  ///
  /// - Parameters:
  ///   - rows: The rows that have these.
  ///   - origin: The column of their table that is equal to the key.
  /// - Returns: The columns.
  /// - Throws: The error of a statement.
  func links(to rows: OuterRows, _ origin: String) throws -> [PatchLink] {
    let step = prefetch.path.steps[0].statement.from.table.tableName.asciiLowercased
    let outer = rows.text
    guard !outer.cuts.isGrouped,
      let inner = text.tables.first(where: { $0.name.asciiLowercased == step }),
      !text.source.contains("?")
    else { return [] }
    // A subquery that reads the same rows has the same links.
    let column = prefetch.columns[0].destination.quotedDatabaseIdentifier
    let key = "\(outer.tables[0].qualifier).\(origin.quotedDatabaseIdentifier)"
    var sql = """
      SELECT 1, (SELECT count(*) FROM \(text.source) WHERE \(inner.qualifier).\(column) = \(key)) \
      FROM \(outer.source)
      """
    if let condition = outer.condition { sql += " WHERE \(condition)" }
    do {
      let subquery = try db.makeStatement(sql: sql)
      let values = Array(rows.values.prefix(Int(subquery.parameterCount)))
      try subquery.setArguments(StatementArguments(values: values, namedValues: [:]))
      let found = try PatchAnalysis.plan(for: subquery)
      guard found.table == rows.table else { return [] }
      return found.links.filter { tables.contains($0.table) && $0.target == rows.table }
    } catch is PatchObstacle {
      return []
    } catch is DatabaseError {
      return []
    }
  }
}
