/// `SELECT DISTINCT "id", "name"`
struct SelectClause: Hashable, Sendable {
  var selection: [SQLSelection]
  var isDistinct = false
  /// Columns that the rows do not show, after those of joined tables.
  var hidden: [SQLSelection] = []

  /// Writes the clause, with the columns of joined tables after its own.
  ///
  /// SQLite makes a subquery of tables in parentheses, in which no two columns have one name. So
  /// their columns are selected one by one, under their own names.
  func write(to context: inout SQLContext, from: FromClause) throws {
    let joined = from.flatJoins.flatMap(\.selection)
    let enclosed = from.enclosedTables
    context.append(isDistinct ? "SELECT DISTINCT " : "SELECT ")
    let all = try (selection + joined + hidden).connected(context.db)
    // SQL does not allow an empty selection.
    if all.isEmpty { context.append("NULL") }
    for (index, selection) in all.enumerated() {
      if index > 0 { context.append(", ") }
      if case .owned(_, let table) = selection.kind, enclosed.contains(table) {
        try selection.writeNamed(to: &context)
      } else {
        try selection.write(to: &context)
      }
    }
  }
}
