extension SelectStatement {
  /// Returns the query that counts the rows.
  func count(_ db: Database) throws -> SelectStatement {
    guard associations.isEmpty else { return try joiningAssociations().count(db) }
    guard limit == nil, group.expressions.isEmpty, having.conditions.isEmpty,
      !select.selection.contains(where: \.isAggregate), try !filtersByAlias(db)
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
    count.from = from.unselected
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

  /// Returns whether a condition may refer to a column by the name that the selection gives it:
  /// `SELECT "score" + "bonus" AS "total" FROM "player" WHERE "total" > 10`.
  func filtersByAlias(_ db: Database) throws -> Bool {
    let names = aliased.compactMap(\.alias)
    guard !names.isEmpty else { return false }
    var context = SQLContext(db)
    try context.with(tables: from.tables) { context in
      for join in from.joins { try join.write(to: &context) }
      try filter.write(to: &context)
    }
    // The text may also contain the name in another role, or in raw SQL.
    let conditions = context.sql.asciiLowercased
    return names.contains { name in
      let quoted = name.asciiLowercased.quotedDatabaseIdentifier
      return conditions.contains(quoted.dropFirst().dropLast())
    }
  }

  /// The result columns, also those of joined tables, that the selection names.
  var aliased: [SQLSelection] {
    (select.selection + from.flatJoins.flatMap(\.selection)).filter { $0.alias != nil }
  }
}
