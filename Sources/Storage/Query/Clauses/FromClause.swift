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

  /// The same tables, of which only the first one's columns are selected.
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
