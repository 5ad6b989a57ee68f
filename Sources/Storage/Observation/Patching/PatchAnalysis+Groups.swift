internal import WellspringSystem

/// Groups that belong to single rows of one table: `GROUP BY team.id`.
///
/// For one row of the table, such a query is a function of the rows that equalities lead to, like a
/// subquery about it.
extension PatchAnalysis {
  /// Returns the plan for a query whose rows are groups.
  func groupedPlan(_ tables: [PatchTable]) throws -> PatchPlan {
    guard text.subqueries.isEmpty else { throw PatchObstacle.hasSubquery }
    let index = try groupingTable(tables)
    let table = tables[index]
    let inner = try joinedTables(tables, index)
    try checkReads(tables, inner)
    let program = try explain(statement.sql, values)
    try Self.checkFunctions(of: program, db)
    let order = try groupOrder(of: program, table, inner)
    let isCounted = kind == .count
    let groups = " GROUP BY \(text.clauses.group ?? "")"
    let having = text.clauses.having.map { " HAVING \($0)" } ?? ""
    let plan = PatchPlan(
      table: table.name,
      partners: inner.partners.map(\.table),
      soughtPartners: Set(inner.partners.indices),
      links: inner.links,
      others: inner.others,
      source: PatchPlan.Source(
        list: text.list,
        source: text.source,
        lookupSource: text.source,
        condition: text.condition,
        key: table.key,
        partners: inner.partners.map { PatchKey(rowID: $0.column) },
        isJoined: true,
        groups: groups + having,
        parameterCount: text.parameterCount
      ),
      whole: text.clauses,
      order: isCounted ? nil : text.order,
      totalOrder: order.terms(after: isCounted ? nil : text.order),
      window: try window()
    )
    guard try groupOrder(of: explainWhole(plan), table, inner) == order else {
      throw PatchObstacle.readsInUnknownOrder
    }
    try checkReads(of: plan, inner)
    try checkGroupRows(of: plan, table)
    return plan
  }

  /// Finds the table by whose row id the rows are grouped.
  private func groupingTable(_ tables: [PatchTable]) throws -> Int {
    guard let group = text.cuts.group else { throw PatchObstacle.groupsRows }
    let terms = text.content.terms(of: group) { $0.isSymbol(",") }
    // Further terms must be columns of the same row.
    let owners = terms.map { owner(of: $0, tables) }
    guard let index = owners.first??.table,
      owners.allSatisfy({ $0?.table == index }),
      owners.contains(where: { $0?.isRowID == true }),
      !tables[index].isOptional, tables[index].key.isRowID
    else { throw PatchObstacle.groupsRows }
    return index
  }

  /// Returns the table whose column a term is; `nil` for other terms.
  private func owner(
    of term: Range<Int>,
    _ tables: [PatchTable]
  ) -> (table: Int, isRowID: Bool)? {
    let content = text.content
    let isQualified = term.count == 3 && content.tokens[term.lowerBound + 1].isSymbol(".")
    guard term.count == 1 || isQualified, let name = content.name(term.upperBound - 1) else {
      return nil
    }
    let qualifier = isQualified ? content.name(term.lowerBound)?.asciiLowercased : nil
    guard !isQualified || qualifier != nil else { return nil }
    let column = ColumnName(name)
    let candidates = tables.indices.filter { index in
      guard let table = schema.tables[tables[index].name] else { return false }
      return (qualifier.map { $0 == text.tables[index].comparedQualifier } ?? true)
        && table.rowIDNames.union(table.columns).contains(column)
    }
    guard candidates.count == 1, let table = schema.tables[tables[candidates[0]].name] else {
      return nil
    }
    return (candidates[0], table.rowIDNames.contains(column))
  }

  /// Finds out how changes of the other tables touch groups.
  private func joinedTables(_ tables: [PatchTable], _ index: Int) throws -> SubqueryTables {
    var result = SubqueryTables()
    var inner: [(selected: SelectedTable, table: RegionSchema.Table)] = []
    for other in tables.indices where other != index {
      inner.append((text.tables[other], try innerTable(text.tables[other])))
    }
    result.tables = Set(inner.map(\.table.name))
    guard !result.tables.contains(tables[index].name) else { throw PatchObstacle.readsTableTwice }
    let own = text.columns(of: [text.tables[index].comparedQualifier])
    let isInner = !text.tables.contains(where: \.isOptional)
    let equalities = text.equalities(with: own).filter { equality in
      switch equality.clause {
      case .where: true
      // A condition of a left join is a condition on its right table.
      case .join(let joinedIndex):
        isInner
          || equality.qualifier.map { $0 == text.tables[joinedIndex].comparedQualifier }
            ?? (schema.tables[tables[joinedIndex].name]?.columns.contains(ColumnName(equality.name))
              == true)
      }
    }
    let linked = try result.add(
      equalities,
      from: inner,
      to: [tables[index]],
      isSought: true,
      needsAllForNull: false,
      self
    )
    result.remove(result.tables.subtracting(linked))
    return result
  }

  /// Returns the order in which the groups are found: the order of the row ids.
  private func groupOrder(
    of program: ExplainedProgram,
    _ table: PatchTable,
    _ inner: SubqueryTables
  ) throws -> ScanOrder {
    let own = try program.withoutSubqueries(inner.tables, schema)
    let order = try ScanOrder.order(of: own, [table], schema, db) { [] }
    guard order.loops.count == 1, order.loops[0].indexTerms.isEmpty else {
      throw PatchObstacle.searchesForGroups
    }
    return order
  }

  /// Checks that the rows of a group are read in the same order, and by the same indexes, in the
  /// whole query and for single groups.
  private func checkGroupRows(of plan: PatchPlan, _ table: PatchTable) throws {
    let whole = try tablePlan(of: statement.sql)
    let qualifier = table.qualifier.withoutQuotes
    for (sql, isLookup) in [
      (plan.wholeSQL, false), (plan.changedSQL(count: 1), true), (plan.changedSQL(count: 3), true),
    ] {
      let lines = try tablePlan(of: sql)
      guard lines.dropFirst() == whole.dropFirst(),
        !isLookup || lines[0] == "SEARCH \(qualifier) USING INTEGER PRIMARY KEY (rowid=?)"
      else { throw PatchObstacle.searchesForGroups }
    }
  }

  /// Returns how SQLite reads the tables of a statement without subqueries, the outer ones first.
  private func tablePlan(of sql: String) throws -> [String] {
    let lines = try queryPlan(of: sql).map { row -> String in row["detail"] }
    // With a sorter, rows of other groups could come between the rows of a group.
    if sql == statement.sql, lines.contains("USE TEMP B-TREE FOR GROUP BY") {
      throw PatchObstacle.searchesForGroups
    }
    let tables = lines.filter { !$0.hasPrefix("USE TEMP B-TREE") }
    guard !tables.isEmpty else { throw PatchObstacle.searchesForGroups }
    return tables
  }
}
