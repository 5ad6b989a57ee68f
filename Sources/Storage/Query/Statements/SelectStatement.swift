/// `SELECT … FROM … WHERE … GROUP BY … HAVING … ORDER BY … LIMIT …`
///
/// A ``DerivableRequest`` refines a statement: the methods of the request read and change its
/// clauses.
public struct SelectStatement: Subquery {
  var with = WithClause()
  var select: SelectClause
  var from: FromClause
  var filter = ConditionClause(keyword: .where)
  var group = GroupByClause()
  var having = ConditionClause(keyword: .having)
  var order = OrderByClause()
  var limit: LimitClause?

  func write(to context: inout SQLContext) throws {
    try with.write(to: &context)
    if context.db != nil { try from.checkNames() }
    try context.with(tables: from.tables) { context in
      try select.write(to: &context, joined: from.joins.flatMap(\.selection))
      try from.write(to: &context)
      try filter.write(to: &context)
      try group.write(to: &context)
      try having.write(to: &context)
      try order.write(to: &context)
      limit?.write(to: &context)
    }
  }
}

// MARK: - One row

extension SelectStatement {
  /// Returns the query of the first row only.
  func first(_ db: Database) throws -> SelectStatement {
    var first = self
    if let limit {
      first.limit = limit.first
    } else if try !selectsOneRow(db) {
      first.limit = LimitClause(count: 1)
    }
    return first
  }

  /// Returns whether the filter selects at most one row by a unique key, so that no limit is
  /// needed.
  private func selectsOneRow(_ db: Database) throws -> Bool {
    guard from.joins.isEmpty, with.tables.isEmpty else { return false }
    let parts = filter.conditions.flatMap(\.conjuncts).map(\.part)
    if parts.contains(where: { ($0 as? KeyCondition)?.isSingle == true }) { return true }
    let columns = parts.compactMap { ($0 as? Operation)?.determinedColumn }
    guard !columns.isEmpty else { return false }
    return try db.tableInfo(from.table.tableName).hasUniqueKey(within: columns)
  }
}

extension ExpressionNode {
  /// The expressions that must all be true for this one to be true.
  fileprivate var conjuncts: [ExpressionNode] {
    guard let chain = part as? OperatorChain, chain.operator == .and else { return [self] }
    return chain.operands
  }
}

extension Operation {
  /// The column that is compared with a constant, and so has one value where the operation is true.
  fileprivate var determinedColumn: String? {
    guard `operator` == .equal, right.value != nil else { return nil }
    return (left.part as? ColumnReference)?.name
  }
}

// MARK: - Counting

extension SelectStatement {
  /// Returns the query that counts the rows.
  func count(_ db: Database) throws -> SelectStatement {
    guard limit == nil, group.expressions.isEmpty, having.conditions.isEmpty,
      !select.selection.contains(where: \.isAggregate)
    else { return countOfSubquery }
    guard select.isDistinct else { return counting(.countAll) }
    // COUNT(DISTINCT x) does not count the row whose x is NULL.
    guard from.joins.isEmpty, with.tables.isEmpty, select.selection.count == 1,
      let column = select.selection[0].column,
      try db.columns(in: from.table.tableName).contains(where: { $0.isNotNull && $0.is(column) })
    else { return countOfSubquery }
    return counting(Storage.count(distinct: Column(column)))
  }

  private func counting(_ expression: SQLExpression) -> SelectStatement {
    var count = self
    count.select = SelectClause(selection: [expression.sqlSelection])
    for index in count.from.joins.indices { count.from.joins[index].selection = [] }
    count.order = OrderByClause()
    return count
  }

  private var countOfSubquery: SelectStatement {
    var subquery = self
    if limit == nil { subquery.order = OrderByClause() }
    return SelectStatement(
      select: SelectClause(selection: [SQLExpression.countAll.sqlSelection]),
      from: FromClause(table: TableReference(subquery: SQLSubquery(subquery)))
    )
  }
}
