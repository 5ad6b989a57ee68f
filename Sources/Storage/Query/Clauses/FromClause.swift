/// `FROM "player" JOIN "team" ON …`
struct FromClause: Hashable, Sendable {
  var table: TableReference
  var joins: [JoinClause] = []

  /// All tables, from left to right.
  var tables: [TableReference] { [table] + joins.map(\.table) }

  func write(to context: inout SQLContext) throws {
    context.append(" FROM ")
    try table.write(to: &context)
    for join in joins { try join.write(to: &context) }
  }
}
