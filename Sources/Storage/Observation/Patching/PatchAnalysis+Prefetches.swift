internal import WellspringPlatform

/// Requests with associated rows that further statements fetch: `including(all:)`.
///
/// The associated rows of a row are those whose column is equal to its row id, and depend on
/// nothing else. So a changed associated row touches the rows that this column leads to, before and
/// after the change, like a row of a correlated subquery. The associated rows of a touched row are
/// fetched again.
extension PatchAnalysis {
  /// Returns the plan for a request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - statement: Its statement, or one with the same rows that reads tables in place of views.
  ///   - kind: What is fetched of its rows.
  /// - Returns: The plan.
  /// - Throws: ``PatchObstacle`` where the proof fails.
  static func plan(
    for request: PreparedRequest,
    _ statement: Statement,
    _ kind: PatchPlan.Kind
  ) throws -> PatchPlan {
    var plan = try plan(for: statement, kind)
    let db = statement.database
    try db.withoutRegionRecorder {
      // The columns of a view are those of other tables there.
      guard statement === request.statement || request.prefetches.isEmpty else {
        throw PatchObstacle.fetchesFurtherRows
      }
      for prefetch in request.prefetches {
        guard let table = request.tableName, prefetch.scope.isEmpty, prefetch.columns.count == 1
        else { throw PatchObstacle.fetchesFurtherRows }
        let origin = try prefetch.path.columnPairs(from: TableReference(tableName: table), db)[0]
        let rows = try AssociatedRows(prefetch, db)
        let links = try rows.links(to: statement, plan, origin.origin)
        let linked = Set(links.map(\.table))
        // Other keys may be written in other ways, for which no order is known.
        guard !linked.isEmpty else { throw PatchObstacle.fetchesFurtherRows }
        plan = plan.adding(links, others: rows.tables.subtracting(linked))
      }
    }
    guard !plan.others.contains(plan.table) else { throw PatchObstacle.readsTableTwice }
    return plan
  }
}

/// What is known of the statement that fetches associated rows.
private struct AssociatedRows {
  private let prefetch: Prefetch
  private let db: Database
  /// The tables that it reads.
  let tables: Set<TableName>
  /// The statement for the rows of one key, without a limit.
  private let text: SelectText

  init(_ prefetch: Prefetch, _ db: Database) throws {
    self.prefetch = prefetch
    self.db = db
    let statement = try Self.statement(prefetch, keys: 1, limit: nil, db)
    text = try SelectText(statement.sql)
    let schema = try db.currentRegionSchema()
    tables = Set(statement.effects.reads.keys)
    let names = Set(tables.map(\.name))
    // With subqueries or groups, the rows of one key may depend on those of others.
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

  /// Compiles the statement for some keys.
  private static func statement(
    _ prefetch: Prefetch,
    keys count: Int,
    limit: LimitClause?,
    _ db: Database
  ) throws -> Statement {
    var keys = PrefetchKeys(collations: prefetch.columns.map(\.collation))
    for key in 1...count { _ = keys.insert([key.databaseValue]) }
    let grouping = SelectStatement.Grouping(
      path: prefetch.grouping.path,
      columns: prefetch.grouping.columns,
      limit: limit
    )
    let request = try prefetch.query(keys).prepare(db, groupedBy: grouping).request
    guard request.prefetches.isEmpty else { throw PatchObstacle.fetchesFurtherRows }
    return request.statement
  }

  /// Numbers of keys: for some of them, the list of keys has another form.
  private static let keyCounts = [1, 2, 3, 10, 50, 100, 101, 1000]

  /// Checks that the rows of a key are found in the same order for one key and for many, and that
  /// no function depends on anything but its arguments.
  private func checkOrder() throws {
    var orders: Set<[String]> = []
    for count in Self.keyCounts {
      let limit = prefetch.grouping.limit
      let statement = try Self.statement(prefetch, keys: count, limit: limit, db)
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

  /// Returns the columns of the tables that lead to rows of a query; none where that is not known.
  ///
  /// - Parameters:
  ///   - statement: The query.
  ///   - plan: Its plan.
  ///   - origin: The column of its first table that is equal to the key.
  /// - Returns: The columns.
  /// - Throws: The error of a statement.
  func links(
    to statement: Statement,
    _ plan: PatchPlan,
    _ origin: String
  ) throws -> [PatchLink] {
    let step = prefetch.path.steps[0].statement.from.table.tableName.asciiLowercased
    guard let outer = try? SelectText(statement.sql), !outer.cuts.isGrouped,
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
      let values = statement.boundValues.prefix(Int(subquery.parameterCount)).map { $0 ?? .null }
      try subquery.setArguments(StatementArguments(values: values, namedValues: [:]))
      let found = try PatchAnalysis.plan(for: subquery)
      guard found.table == plan.table else { return [] }
      return found.links.filter { tables.contains($0.table) && $0.target == plan.table }
    } catch is PatchObstacle {
      return []
    } catch is DatabaseError {
      return []
    }
  }
}
