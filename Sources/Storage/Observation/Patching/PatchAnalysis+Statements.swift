internal import WellspringSystem

/// Checks of the statements that a plan runs.
extension PatchAnalysis {
  /// Explains the query with its hidden columns.
  func explainWhole(_ plan: PatchPlan) throws -> ExplainedProgram {
    try explain(plan.wholeSQL, wholeValues(plan))
  }

  /// The arguments of the query with its hidden columns. SQLite may choose an index by the value of
  /// the limit.
  private func wholeValues(_ plan: PatchPlan) -> [DatabaseValue] {
    values + (plan.window.map { [Self.value($0.capacity)] } ?? [])
  }

  /// Checks that the query with its hidden columns reads rows in the order of the query.
  func checkWhole(
    _ plan: PatchPlan,
    _ order: ScanOrder,
    _ tables: [PatchTable],
    _ inner: SubqueryTables
  ) throws {
    let program = try explainWhole(plan)
    if kind == .count {
      let program = try program.withoutSubqueries(inner.tables, schema)
      try ScanOrder.loops(of: program, tables, schema, db)
    }
    let found = try scanOrder(of: program, plan.wholeSQL, wholeValues(plan), tables, inner)
    guard found == order else {
      throw PatchObstacle.readsInUnknownOrder
    }
  }

  /// Checks that the statements of a plan read no more columns than the query.
  func checkReads(of plan: PatchPlan, _ inner: SubqueryTables) throws {
    let key = plan.source.key
    let hidden = "SELECT \(plan.source.hidden) FROM \(plan.source.source)"
    let columns = try compiling {
      try readColumns(statement.sql, plan, inner, values)
        .merging(readColumns(hidden, plan, inner, values)) { $0.union($1) }
    }
    let width = (plan.source.partners + [key]).map(\.columns.count).max() ?? 1
    let ids = (1...Self.lookupSize * width).map { Self.value($0) }
    let statements =
      [plan.sortSQL(count: PatchPlan.sortSizes[0]), plan.changedSQL(count: Self.lookupSize)]
      + plan.partners.indices.map { plan.joinedSQL(with: $0, count: 1) }
    for sql in statements {
      let read = try compiling {
        // Without the result columns, the name of one in double quotes would be a string.
        try db.withoutQuotedStrings { try readColumns(sql, plan, inner, values + ids) }
      }
      guard read.allSatisfy({ $1.isSubset(of: columns[$0] ?? []) }) else {
        throw PatchObstacle.readsOtherColumns
      }
    }
  }

  /// How many rows the statements look up that are checked.
  private static let lookupSize = 3

  /// Checks that the statements of a plan read no row that is not looked up.
  func checkLookups(
    of plan: PatchPlan,
    _ tables: [PatchTable],
    _ values: [DatabaseValue]
  ) throws {
    let key = plan.source.key
    let lookups =
      PatchPlan.sortSizes.map { (plan.sortSQL(count: $0), $0) }
      + PatchPlan.lookupSizes.prefix(3).map { (plan.changedSQL(count: $0), $0) }
    for (sql, count) in lookups {
      let ids = (1...count * key.columns.count).map { Self.value($0) }
      let program = try explain(sql, values + ids)
      guard try ScanOrder.looksUpRows(program, of: plan.table, key, schema, db) else {
        // SQLite reads a table as a whole when its statistics say that it is small.
        throw tables.count > 1 ? PatchObstacle.joinsSeveralRows : .scansForChangedRows
      }
      if count == 1, tables.count > 1, !ScanOrder.findsOneRow(program) {
        throw PatchObstacle.joinsSeveralRows
      }
    }
  }

  /// Returns the columns of each table that a statement reads.
  private func readColumns(
    _ sql: String,
    _ plan: PatchPlan,
    _ inner: SubqueryTables,
    _ values: [DatabaseValue]
  ) throws -> [TableName: Set<ColumnName>] {
    let statement = try db.makeStatement(sql: sql)
    try statement.setArguments(Self.arguments(Array(values.prefix(Int(statement.parameterCount)))))
    let region = try statement.databaseRegion()
    // A statement that reads no column may be reported for each table with this name. The name
    // means the same table as in the query.
    let names = Set(plan.tables.union(inner.tables).map(\.name))
    guard let parts = region.tables, parts[plan.table] != nil,
      parts.keys.allSatisfy({ names.contains($0.name) })
    else { throw PatchObstacle.readsOtherColumns }
    var columns: [TableName: Set<ColumnName>] = [:]
    for table in plan.tables.subtracting(inner.tables) {
      guard let part = parts[table] else { continue }
      columns[table] = part.columns.elements ?? Set(schema.tables[table]?.columns ?? [])
    }
    return columns
  }
}
