internal import WellspringSystem

/// The tables that a query reads by subqueries, and the links from their changes to its rows.
///
/// A subquery is a function of the outer query's columns that it names. This is proven by compiling
/// it alone, with parameters in their place. If one of its conditions is that a column is equal to
/// a row id, only the rows with this id matter.
struct SubqueryTables {
  /// All tables of subqueries.
  var tables: Set<TableName> = []
  /// The columns whose values are row ids of the query's tables.
  var links: [PatchLink] = []
  /// The tables whose rows are looked up by their ids: the columns of the query that have these.
  var partners: [(table: TableName, column: String, isSought: Bool)] = []

  /// The tables without a link: their changes touch any row.
  var others: Set<TableName> {
    tables.subtracting(links.map(\.table)).subtracting(partners.map(\.table))
  }

  /// Adds a link for each equality.
  ///
  /// - Parameters:
  ///   - equalities: Equalities of columns of some tables with columns of the query's tables.
  ///   - inner: The tables of the former columns.
  ///   - tables: The query's tables.
  ///   - isSought: Whether rows of these tables decide which rows the query has.
  ///   - needsAllForNull: Whether NULL in such a column touches any row.
  ///   - analysis: The analysis of the query.
  /// - Returns: The tables for which a link was found.
  /// - Throws: ``PatchObstacle`` when SQLite refuses a condition.
  mutating func add(
    _ equalities: [ColumnEquality],
    from inner: [(selected: SelectedTable, table: RegionSchema.Table)],
    to tables: [PatchTable],
    isSought: Bool,
    needsAllForNull: Bool,
    _ analysis: PatchAnalysis
  ) throws -> Set<TableName> {
    var linked: Set<TableName> = []
    for equality in equalities {
      guard let own = try analysis.ownColumn(equality, inner), !linked.contains(own.table),
        inner.count(where: { $0.table.name == own.table }) == 1,
        let target = tables.first(where: {
          $0.qualifier.withoutQuotes.asciiLowercased == equality.outer.qualifier
        }), !equality.isNullSafe || !target.isOptional,
        let isRowID = analysis.isRowID(equality.outer.name, of: target)
      else { continue }
      if isRowID {
        links.append(
          PatchLink(
            table: own.table,
            column: own.column,
            target: target.name,
            needsAllForNull: needsAllForNull
          )
        )
      } else if own.column.isRowID {
        let column = "\(target.qualifier).\(equality.outer.name.quotedDatabaseIdentifier)"
        partners.append((own.table, column, isSought))
      } else {
        continue
      }
      linked.insert(own.table)
    }
    return linked
  }

  /// Removes the links of tables that a subquery also reads without a link: any row matters there.
  mutating func remove(_ unlinked: Set<TableName>) {
    links.removeAll { unlinked.contains($0.table) }
    partners.removeAll { unlinked.contains($0.table) }
  }
}

extension PatchAnalysis {
  /// Finds the tables that the subqueries of the query read.
  ///
  /// - Parameter tables: The tables of the query itself.
  /// - Returns: The tables. A change of a table that has neither a link nor a partner touches any
  ///   row.
  /// - Throws: ``PatchObstacle`` where they cannot be found.
  func subqueryTables(_ tables: [PatchTable]) throws -> SubqueryTables {
    var result = SubqueryTables()
    var unlinked: Set<TableName> = []
    for (subquery, role) in zip(searched.text.subqueries, searched.roles) {
      // Which of equal rows it finds may depend on their order.
      if case .membership = subquery.use, subquery.select.limit != nil {
        throw PatchObstacle.readsInUnknownOrder
      }
      let inner = try subquery.select.tables.map(innerTable)
      result.tables.formUnion(inner.map(\.name))
      let outer = try subquery.outerColumns(Set(text.tables.map(\.comparedQualifier)))
      try checkAlone(subquery, outer)
      // The one before it has the same tables.
      if role == .nullCheck { continue }
      let isInner = !subquery.select.tables.contains(where: \.isOptional)
      let linked = try result.add(
        subquery.select.equalities(with: outer).filter { isInner || $0.clause == .where },
        from: zip(subquery.select.tables, inner).map { ($0, $1) },
        to: tables,
        isSought: isSelecting(subquery),
        needsAllForNull: role == .nullable && !Fault.isOn(.patchNull),
        self
      )
      unlinked.formUnion(Set(inner.map(\.name)).subtracting(linked))
    }
    guard result.tables.isDisjoint(with: tables.map(\.name)) else {
      throw PatchObstacle.readsTableTwice
    }
    result.remove(unlinked)
    return result
  }

  /// Whether a subquery decides which rows the query has, or which of them a window has.
  private func isSelecting(_ subquery: SubqueryText) -> Bool {
    let start = subquery.range.lowerBound
    if searched.text.cuts.condition?.contains(start) == true { return true }
    // A column of the result may be a term of the order.
    return kind == .firstRow || searched.text.limit != nil
  }

  /// Returns a table that a subquery reads.
  func innerTable(_ selected: SelectedTable) throws -> RegionSchema.Table {
    let name = selected.name.asciiLowercased
    let found = schema.tables(named: name)
    guard found.count == 1, found[0].kind == .table, found[0].name.schema == "main",
      !found[0].isUnclear, !found[0].name.isInternal
    else { throw PatchObstacle.hasSubquery }
    return found[0]
  }

  /// Checks that a subquery depends only on some columns of the outer query.
  private func checkAlone(
    _ subquery: SubqueryText,
    _ outer: [QualifiedColumn]
  ) throws {
    let content = subquery.select.content
    let sql = content.text(
      content.tokens.indices,
      replacing: outer.map { ($0.tokens, "?\(searched.text.parameterCount + 1)") }
    )
    do {
      // A name in double quotes that is not known must not count as a string.
      try db.withoutQuotedStrings { _ = try db.makeStatement(sql: sql) }
    } catch is DatabaseError {
      throw PatchObstacle.hasSubquery
    }
  }

  /// Returns the table and the column that an equality compares, if it holds integers wherever it
  /// is equal to a row id.
  fileprivate func ownColumn(
    _ equality: ColumnEquality,
    _ inner: [(selected: SelectedTable, table: RegionSchema.Table)]
  ) throws -> (table: TableName, column: ConditionColumn)? {
    let candidates = inner.filter { selected, table in
      if let qualifier = equality.qualifier { return selected.comparedQualifier == qualifier }
      return table.rowIDNames.union(table.columns).contains(ColumnName(equality.name))
    }
    guard candidates.count == 1, let (selected, table) = candidates.first else { return nil }
    guard table.holdsIntegers(ColumnName(equality.name)) ?? true else { return nil }
    // SQLite says which column it is, and how it is compared.
    let sql = """
      SELECT 1 FROM main.\(table.name.name.quotedDatabaseIdentifier) AS \(selected.qualifier) \
      WHERE \(equality.inner) = ?
      """
    let sought = Int64.max - 4_711
    return try compiling {
      try db.withoutQuotedStrings {
        let statement = try db.makeStatement(sql: sql)
        try statement.setArguments([sought])
        let part = try statement.databaseRegion().tables?[table.name]
        guard let found = part?.conditions.elements, found.count == 1, let only = found.first,
          only.range.onlyKey == ValueKey(rowID: sought)
        else { return nil }
        return (table.name, only.column)
      }
    }
  }

  /// Whether a column of a table of the query is its row id; `nil` if it may hold something else
  /// than integers.
  func isRowID(_ name: String, of target: PatchTable) -> Bool? {
    guard let table = schema.tables[target.name] else { return nil }
    let column = ColumnName(name)
    if table.rowIDNames.contains(column) { return true }
    return table.holdsIntegers(column) == true ? false : nil
  }

  // MARK: Programs

  /// Checks that the query does nothing with its own rows but read one after the other: an
  /// aggregate function in a subquery can belong to the outer query.
  func checkOutline(_ outline: PatchPlan, _ values: [DatabaseValue]) throws {
    let program = try explain(outline.changedSQL(count: 1), values + [Self.value(1)])
    try ScanOrder.checkInstructions(of: program)
  }

  /// Checks that a subquery whose value depends on the order of its rows reads them in the same
  /// order for single rows of the query.
  func checkSubqueryOrder(_ plan: PatchPlan) throws {
    guard searched.text.subqueries.contains(where: \.dependsOnOrder) else { return }
    let (whole, changed) = try (
      subqueryPlans(of: statement.sql), subqueryPlans(of: plan.changedSQL(count: 1))
    )
    // Rows are sorted without the condition, and may be selected by more subqueries.
    for (plans, others) in [
      (whole, try subqueryPlans(of: plan.wholeSQL)), (whole, changed),
      (try subqueryPlans(of: plan.sortSQL(count: 3)), changed),
    ] {
      var others = others
      for plan in plans {
        guard let index = others.firstIndex(of: plan) else {
          throw PatchObstacle.readsInUnknownOrder
        }
        others.remove(at: index)
      }
    }
  }

  /// Returns how SQLite reads the rows of each scalar subquery of a statement.
  private func subqueryPlans(of sql: String) throws -> [[String]] {
    var plans: [[String]] = []
    /// The indexes of the subqueries, by the ids of the lines that belong to them.
    var owners: [Int64: Int] = [:]
    for row in try queryPlan(of: sql) {
      let detail: String = row["detail"]
      let (id, parent): (Int64, Int64) = (row["id"], row["parent"])
      if detail.contains("SCALAR SUBQUERY") {
        owners[id] = plans.count
        plans.append([])
      } else if let owner = owners[parent] {
        owners[id] = owner
        plans[owner].append(detail)
      }
    }
    return plans
  }

  /// Returns how SQLite runs a statement.
  func queryPlan(of sql: String, _ values: [DatabaseValue]? = nil) throws -> [Row] {
    try compiling {
      let statement = try db.makeStatement(sql: "EXPLAIN QUERY PLAN \(sql)")
      let ids = Array(repeating: Self.value(1), count: Int(statement.parameterCount))
      let values = ((values ?? self.values) + ids).prefix(Int(statement.parameterCount))
      try statement.setArguments(StatementArguments(values: Array(values), namedValues: [:]))
      return try Row.fetchAll(statement)
    }
  }
}
