/// `FROM "player" JOIN "team" ON …`
struct FromClause: Hashable, Sendable {
  var table: TableReference
  var joins: [JoinClause] = []

  /// All tables, from left to right.
  var tables: [TableReference] { [table] + flatJoins.map(\.table) }

  /// All joins, from left to right.
  var flatJoins: [JoinClause] { joins.flatMap(\.flattened) }

  /// The tables that are written in parentheses.
  var enclosedTables: Set<TableReference> {
    Set(joins.flatMap(\.enclosed).map(\.table))
  }

  /// The same tables. Only the columns of the first one are selected.
  var unselected: FromClause { FromClause(table: table, joins: joins.map(\.unselected)) }

  /// The same tables, under the names that the text gives them.
  func written(as tables: [TableReference]) -> FromClause {
    guard tables.contains(where: { $0.writtenName != nil }) else { return self }
    var tables = tables[...]
    var from = self
    from.table = tables.removeFirst()
    from.joins = joins.map { $0.written(as: &tables) }
    return from
  }

  /// Throws when two tables have the same name, which would make their columns ambiguous.
  func checkNames() throws {
    guard !joins.isEmpty else { return }
    var names: Set<String> = []
    for table in tables where !names.insert(table.name.asciiLowercased).inserted {
      throw DatabaseError(
        resultCode: .SQLITE_MISUSE,
        message: """
          two tables of the request are called \(table.name): give one of them an alias
          """
      )
    }
  }

  func write(to context: inout SQLContext) throws {
    context.append(" FROM ")
    try table.write(to: &context)
    for join in joins { try join.write(to: &context) }
  }
}

/// `LEFT JOIN "team" ON "team"."id" = "player"."teamID"`
struct JoinClause: Hashable, Sendable {
  enum Kind: String {
    case inner = "JOIN"
    case left = "LEFT JOIN"
    case cross = "CROSS JOIN"
  }

  let kind: Kind
  var table: TableReference
  let conditions: [ExpressionNode]
  /// The selected columns of the table.
  var selection: [SQLSelection]
  /// The names that lead to the scope of the table in the fetched rows.
  let scope: [String]
  /// The tables that are joined with this one first:
  /// `LEFT JOIN ("team" JOIN "league" ON …) ON …`
  var inner: [JoinClause] = []

  /// Whether the request writes the join out, rather than by an association.
  var isExplicit: Bool { table.path == nil }

  /// This join and those inside of it, from left to right.
  @inline(never)
  var flattened: [JoinClause] { [self] + inner.flatMap(\.flattened) }

  /// The joins that are written in parentheses.
  var enclosed: [JoinClause] { inner.isEmpty ? [] : flattened }

  /// The join of the same tables, without their columns.
  var unselected: JoinClause {
    var join = self
    join.selection = []
    join.inner = inner.map(\.unselected)
    return join
  }

  /// The same join, of the first of some tables, and of those after it.
  func written(as tables: inout ArraySlice<TableReference>) -> JoinClause {
    var join = self
    join.table = tables.removeFirst()
    join.inner = inner.map { $0.written(as: &tables) }
    return join
  }

  func write(to context: inout SQLContext) throws {
    context.append(" \(kind.rawValue) ")
    if !inner.isEmpty { context.append("(") }
    try table.write(to: &context)
    for join in inner { try join.write(to: &context) }
    if !inner.isEmpty { context.append(")") }
    guard !conditions.isEmpty else { return }
    context.append(" ON ")
    // An unqualified column may belong to any of the tables.
    try context.with(owner: nil) {
      try SQLExpression.chain(.and, conditions).node.write(to: &$0)
    }
  }
}
