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

  /// The join of the same tables, of which no columns are selected.
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
