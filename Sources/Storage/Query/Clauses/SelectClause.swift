/// `SELECT DISTINCT "id", "name"`
struct SelectClause: Hashable, Sendable {
  var selection: [SQLSelection]
  var isDistinct = false
  /// Columns that the rows do not show, after those of joined tables.
  var hidden: [SQLSelection] = []

  /// Writes the clause, with the columns of joined tables after its own.
  func write(to context: inout SQLContext, joined: [SQLSelection]) throws {
    context.append(isDistinct ? "SELECT DISTINCT " : "SELECT ")
    let all = selection + joined + hidden
    // SQL does not allow an empty selection.
    if all.isEmpty { context.append("NULL") }
    for (index, selection) in all.enumerated() {
      if index > 0 { context.append(", ") }
      try selection.write(to: &context)
    }
  }
}
