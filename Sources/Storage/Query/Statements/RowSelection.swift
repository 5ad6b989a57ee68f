/// The rows of a request that an `UPDATE` or a `DELETE` changes.
struct RowSelection: Hashable, Sendable {
  let request: SelectStatement
  let returning: ReturningClause
  /// Whether the statement returns the columns that the request selects.
  private let returnsRequest: Bool

  /// Creates a selection whose statement returns the given columns; without them, the columns that
  /// the request selects.
  init(_ request: SelectStatement, returning selection: [SQLSelection]? = nil) {
    self.request = request
    returning = ReturningClause(selection: selection ?? request.select.selection)
    returnsRequest = selection == nil
  }

  /// The table whose rows are changed, with the aliases that the request gives it.
  var table: TableReference {
    let table = request.from.table
    return TableReference(
      tableName: table.tableName,
      alias: table.alias,
      identities: table.identities
    )
  }

  /// The tables that the request joins. The changing statement cannot refer to them.
  func joinedTables() throws -> [TableReference] {
    guard !request.from.joins.isEmpty || request.associations.contains(where: \.isJoined) else {
      return []
    }
    return Array(try request.joiningAssociations().clauses.from.tables.dropFirst())
  }

  /// Throws when the rows of the request are not rows of the table, or are not returned as the
  /// request selects them.
  func check(_ db: Database) throws {
    try request.checkAssociations()
    try request.checkRowsAreOfTable(db)
    if returnsRequest { try request.checkSelectsOneTable() }
  }

  /// Writes the common table expressions of the request and of the associations that it joins.
  func writeWith(to context: inout SQLContext) throws {
    try request.joiningAssociations().clauses.with.write(to: &context)
  }

  /// Writes the clauses that follow the table and the assignments.
  func write(to context: inout SQLContext) throws {
    guard try isPlain(context.db) else { return try writeByKey(to: &context) }
    try request.filter.write(to: &context)
    try writeReturning(to: &context)
    // Without a limit, the order is irrelevant, and SQLite rejects it.
    guard let limit = request.limit else { return }
    try request.order.write(to: &context)
    limit.write(to: &context)
  }

  /// Writes `RETURNING`. The table keeps its own name there.
  func writeReturning(to context: inout SQLContext) throws {
    guard !returning.selection.isEmpty else { return }
    var table = table
    table.writtenName = table.tableName
    try context.with(tables: [table], outside: joinedTables(), mayRename: false) {
      try returning.write(to: &$0)
    }
  }

  /// Whether the statement can contain the clauses of the request unchanged.
  private func isPlain(_ db: Database?) throws -> Bool {
    try request.from.joins.isEmpty && !request.associations.contains(where: \.isJoined)
      && !request.select.isDistinct
      && request.group.expressions.isEmpty && request.having.conditions.isEmpty
      && (request.limit == nil || SQLContext.limitsUpdates)
      && db.map(request.usesNamedColumns) != true
  }

  /// Writes ` WHERE "id" IN (SELECT "player"."id" FROM …)`.
  private func writeByKey(to context: inout SQLContext) throws {
    guard let db = context.db else { return }
    let columns = try keyColumns(db)
    let names = columns.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
    context.append(columns.count == 1 ? " WHERE \(names) IN " : " WHERE (\(names)) IN ")
    let keys = try selecting(columns.map { Column($0).sqlSelection }, db)
    // The query has tables of its own for all that the request refers to.
    try context.withoutTables { try keys.write(to: &$0) }
    try writeReturning(to: &context)
  }

  /// Returns the columns that identify a row. A declared key may be NULL in several rows, unless
  /// its columns are not; the row id then identifies the row.
  func keyColumns(_ db: Database) throws -> [String] {
    let info = try db.tableInfo(table.tableName)
    let key = try info.requiredPrimaryKey(table.tableName)
    guard !key.isRowID, let rowID = info.rowIDName else { return key.columns }
    let isNotNull = key.columns.allSatisfy { name in
      info.columns.contains { $0.is(name) && $0.isNotNull }
    }
    return isNotNull ? key.columns : [rowID]
  }

  /// Returns the query of columns of the rows.
  func selecting(_ selection: [SQLSelection], _ db: Database) throws -> SQLSubquery {
    let joined = try request.joiningAssociations().clauses
    var rows = joined
    rows.select = SelectClause(
      selection: selection,
      isDistinct: request.select.isDistinct && request.limit != nil
    )
    rows.with = WithClause()
    rows.from = rows.from.unselected
    if rows.limit == nil { rows.order = OrderByClause() }
    guard try joined.usesNamedColumns(db) else {
      return SQLSubquery(JoinedStatement(clauses: rows))
    }
    // The conditions and the order need the named columns, and the rows have the selected columns
    // alone.
    let names = selection.map { $0.alias ?? $0.column }
    rows.select.selection += try joined.namedColumns(db)
    let subquery = SQLSubquery(JoinedStatement(clauses: rows))
    return SQLSubquery(
      SelectStatement(
        select: SelectClause(selection: names.compactMap { $0.map { Column($0).sqlSelection } }),
        from: FromClause(table: TableReference(subquery: subquery))
      )
    )
  }
}
