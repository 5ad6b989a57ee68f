/// The rows of a request that an `UPDATE` or a `DELETE` changes.
struct RowSelection: Hashable, Sendable {
  let request: SelectStatement
  let returning: ReturningClause

  /// Creates a selection whose statement returns the given columns; without them, those that the
  /// request selects.
  init(_ request: SelectStatement, returning selection: [SQLSelection]? = nil) {
    self.request = request
    returning = ReturningClause(selection: selection ?? request.select.selection)
  }

  var table: TableReference { TableReference(tableName: request.from.table.tableName) }

  /// Writes the clauses that follow the table and the assignments.
  func write(to context: inout SQLContext) throws {
    guard try isPlain(context.db) else { return try writeByKey(to: &context) }
    try request.filter.write(to: &context)
    try returning.write(to: &context)
    // Without a limit, the order is irrelevant, and SQLite rejects it.
    guard let limit = request.limit else { return }
    try request.order.write(to: &context)
    limit.write(to: &context)
  }

  /// Whether the statement can contain the clauses of the request unchanged.
  private func isPlain(_ db: Database?) throws -> Bool {
    try request.from.joins.isEmpty && !request.associations.contains(where: \.isJoined)
      && request.from.table.alias == nil && request.from.table.identities.isEmpty
      && !request.select.isDistinct
      && request.group.expressions.isEmpty && request.having.conditions.isEmpty
      && (request.limit == nil || SQLContext.limitsUpdates)
      && db.map(request.filtersByAlias) != true
  }

  /// Writes ` WHERE "id" IN (SELECT "player"."id" FROM …)`.
  private func writeByKey(to context: inout SQLContext) throws {
    guard let db = context.db else { return }
    let columns = try db.primaryKey(table.tableName).columns
    let names = columns.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
    context.append(columns.count == 1 ? " WHERE \(names) IN " : " WHERE (\(names)) IN ")
    var keys = try request.joiningAssociations()
    keys.select = SelectClause(selection: columns.map { Column($0).sqlSelection })
    keys.with = WithClause()
    keys.from = keys.from.unselected
    if keys.limit == nil { keys.order = OrderByClause() }
    if try request.filtersByAlias(db) {
      // The conditions need the named columns, and `IN` needs the key alone.
      let selection = keys.select
      keys.select.selection += request.aliased
      keys = SelectStatement(
        select: selection,
        from: FromClause(table: TableReference(subquery: SQLSubquery(keys)))
      )
    }
    try SQLSubquery(keys).write(to: &context)
    try returning.write(to: &context)
  }
}
