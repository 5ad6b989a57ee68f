// A limit of associated rows holds for each row that they belong to. A window function numbers
// them:
//
//     SELECT * FROM (
//       SELECT *, ROW_NUMBER() OVER (PARTITION BY "teamID" ORDER BY "score" DESC) AS ":row"
//       FROM "player" WHERE "teamID" IN (1, 2, 3)
//     ) WHERE ":row" <= 2 ORDER BY ":row"

extension JoinedStatement {
  /// The name of the column with the number of a row. No schema is likely to have it.
  private static let number = ":row"

  /// Adds a hidden column with the number of each row among the rows with the same key.
  ///
  /// - Parameters:
  ///   - grouping: How the rows belong to other rows.
  ///   - db: The connection.
  /// - Throws: ``DatabaseError`` with `SQLITE_MISUSE` when the statement selects distinct rows,
  ///   which the number would distinguish.
  mutating func numberRows(of grouping: SelectStatement.Grouping, _ db: Database) throws {
    guard !clauses.select.isDistinct else {
      throw DatabaseError(
        resultCode: .SQLITE_MISUSE,
        message: """
          the distinct rows of \(clauses.from.table.tableName) cannot be limited for each row that they \
          belong to: remove distinct() or the limit
          """
      )
    }
    let table = clauses.from.tables.first { $0.path == grouping.path } ?? clauses.from.table
    let key = grouping.columns.map { column in
      grouping.path.isEmpty
        ? Column(column).node : OwnedExpression(expression: Column(column).node, table: table).node
    }
    let columns = try clauses.namedColumns(db)
    var order = clauses.order
    if !columns.isEmpty {
      order.terms = try order.terms(of: clauses.from.tables, columns, db).map { $0.moved(columns) }
    }
    let number = FunctionCall(
      name: "ROW_NUMBER",
      arguments: [],
      window: WindowClause(partition: key, order: order, frame: nil)
    )
    clauses.select.hidden.append(SQLSelection(.alias(number.node, Self.number)))
    clauses.order = OrderByClause()
  }

  /// Compiles the query of the numbered rows within a limit, in the order of their numbers.
  func prepare(_ limit: LimitClause, _ db: Database) throws -> Statement {
    let number = Self.number.quotedDatabaseIdentifier
    let offset = max(limit.offset ?? 0, 0)
    // As in SQL, a negative count is not a limit.
    let (last, overflows) = offset.addingReportingOverflow(limit.count)
    let isLimited = limit.count >= 0 && !overflows
    return try db.cachedStatement { context in
      context.append("SELECT * FROM (")
      try write(to: &context)
      context.append(")")
      if offset > 0 || isLimited { context.append(" WHERE ") }
      if offset > 0 { context.append("\(number) > \(offset)") }
      if offset > 0 && isLimited { context.append(" AND ") }
      if isLimited { context.append("\(number) <= \(last)") }
      context.append(" ORDER BY \(number)")
    }
  }
}

/// A row adapter that gives all columns the names that they have inside of a subquery, which SQLite
/// changes where two columns have one name.
struct SubqueryRowAdapter: RowAdapter {
  let names: [String]
  let adapter: (any RowAdapter)?

  func layout(adapting base: AdaptedRowLayout) throws -> AdaptedRowLayout {
    let named = AdaptedRowLayout(
      columns: zip(base.columns, names).map { column, name in
        AdaptedRowLayout.Column(baseIndex: column.baseIndex, name: name)
      }
    )
    return try adapter?.layout(adapting: named) ?? named
  }
}
