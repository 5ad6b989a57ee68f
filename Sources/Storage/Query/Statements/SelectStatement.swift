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
  /// The associations that are joined or prefetched.
  var associations: [AssociationNode] = []
  /// The tables of the statement whose rows have the associated rows that this one fetches.
  var outside: [TableReference] = []

  func write(to context: inout SQLContext) throws {
    if context.db != nil { try checkAssociations() }
    try joiningAssociations().write(to: &context)
  }

  /// Writes the clauses of a ``JoinedStatement``.
  func writeClauses(to context: inout SQLContext) throws {
    try with.write(to: &context)
    if context.db != nil { try from.checkNames() }
    try context.with(tables: from.tables, outside: outside) { context in
      try select.write(to: &context, from: from)
      try from.written(as: context.tables).write(to: &context)
      let names =
        from.joins.isEmpty && !order.listsColumns
        ? [] : try namedColumns(context.db).compactMap(\.alias)
      try context.with(resultNames: names) {
        try $0.withoutGroups { try filter.write(to: &$0) }
        try group.write(to: &$0)
        try having.write(to: &$0)
        try order.write(to: &$0)
      }
      limit?.write(to: &context)
    }
  }
}

// MARK: - Comparison

extension SelectStatement {
  // Aliases without a name compare equal, so the texts show which table each alias denotes.
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  @inline(never)
  public static func == (left: SelectStatement, right: SelectStatement) -> Bool {
    left.hasSameClauses(as: right) && left.draft == right.draft
  }

  @inline(never)
  fileprivate func hasSameClauses(as other: SelectStatement) -> Bool {
    with == other.with && select == other.select && from == other.from && filter == other.filter
      && group == other.group && having == other.having && order == other.order
      && limit == other.limit && associations == other.associations
  }

  // Clauses hold statements, by associations and subqueries: written into each other, the hashes
  // of all these types would be a tenth of the library's code.
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  @inline(never)
  public func hash(into hasher: inout Hasher) {
    hasher.combine(with)
    hasher.combine(select)
    hasher.combine(from)
    hasher.combine(filter)
    hasher.combine(group)
    hasher.combine(having)
    hasher.combine(order)
    hasher.combine(limit)
    hasher.combine(associations)
  }
}

extension JoinedStatement {
  static func == (left: JoinedStatement, right: JoinedStatement) -> Bool {
    left.clauses.hasSameClauses(as: right.clauses) && left.draft == right.draft
  }

  func hash(into hasher: inout Hasher) { clauses.hash(into: &hasher) }
}

extension Subquery {
  /// The SQL, as far as it is known without a schema.
  fileprivate var draft: String {
    var context = SQLContext()
    try? write(to: &context)
    return context.sql
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
    guard from.joins.isEmpty, with.tables.isEmpty, !associations.contains(where: \.isJoined) else {
      return false
    }
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

extension SelectStatement {
  /// Returns the query that counts the rows.
  func count(_ db: Database) throws -> JoinedStatement {
    try checkAssociations()
    guard !associations.isEmpty else {
      return try count(db) { SQLSubquery($0) }.joiningAssociations()
    }
    let count = try joiningAssociations().clauses.count(db) {
      SQLSubquery(JoinedStatement(clauses: $0))
    }
    return JoinedStatement(clauses: count)
  }

  /// Returns the query that counts the rows of clauses.
  ///
  /// - Parameters:
  ///   - db: The connection.
  ///   - subquery: Returns the statement that the clauses belong to as a subquery.
  /// - Returns: The query.
  /// - Throws: ``DatabaseError``.
  private func count(
    _ db: Database,
    subquery: (SelectStatement) -> SQLSubquery
  ) throws -> SelectStatement {
    guard limit == nil, group.expressions.isEmpty, having.conditions.isEmpty,
      !select.selection.contains(where: \.isAggregate), try !usesNamedColumns(db)
    else { return count(in: subquery) }
    guard select.isDistinct else { return counting(.countAll) }
    // COUNT(DISTINCT x) does not count the row whose x is NULL.
    guard from.joins.isEmpty, with.tables.isEmpty, select.selection.count == 1,
      let column = select.selection[0].column,
      try db.columns(in: from.table.tableName).contains(where: { $0.isNotNull && $0.is(column) })
    else { return count(in: subquery) }
    return counting(Storage.count(distinct: Column(column)))
  }

  private func counting(_ expression: SQLExpression) -> SelectStatement {
    var count = self
    count.select = SelectClause(selection: [expression.sqlSelection])
    count.from = from.unselected
    count.order = OrderByClause()
    return count
  }

  private func count(in subquery: (SelectStatement) -> SQLSubquery) -> SelectStatement {
    var rows = self
    if limit == nil { rows.order = OrderByClause() }
    return SelectStatement(
      select: SelectClause(selection: [SQLExpression.countAll.sqlSelection]),
      from: FromClause(table: TableReference(subquery: subquery(rows)))
    )
  }

  /// Returns whether a condition, or the order of a limit, may refer to a column by the name that
  /// the selection gives it:
  /// `SELECT "score" + "bonus" AS "total" FROM "player" WHERE "total" > 10`.
  func usesNamedColumns(_ db: Database) throws -> Bool {
    let names = try namedColumns(db).compactMap(\.alias)
    guard !names.isEmpty else { return false }
    var context = SQLContext(db)
    try context.with(tables: from.tables) { context in
      for join in from.joins { try join.write(to: &context) }
      try filter.write(to: &context)
      if limit != nil { try order.write(to: &context) }
    }
    // The text may also contain the name in another role, or in raw SQL.
    let sql = context.sql.asciiLowercased
    return names.contains { name in
      let quoted = name.asciiLowercased.quotedDatabaseIdentifier
      return sql.contains(quoted.dropFirst().dropLast())
    }
  }

  /// The result columns that the selection names, also columns of joined tables.
  func namedColumns(_ db: Database?) throws -> [SQLSelection] {
    try (select.selection + from.flatJoins.flatMap(\.selection)).connected(db)
      .filter { $0.alias != nil }
  }
}
