/// `SELECT DISTINCT "id", "name"`
struct SelectClause: Hashable, Sendable {
  var selection: [SQLSelection]
  var isDistinct = false

  /// Writes the clause, with the columns of joined tables after its own.
  func write(to context: inout SQLContext, joined: [SQLSelection]) throws {
    context.append(isDistinct ? "SELECT DISTINCT " : "SELECT ")
    let all = selection + joined
    // SQL does not allow an empty selection.
    if all.isEmpty { context.append("NULL") }
    for (index, selection) in all.enumerated() {
      if index > 0 { context.append(", ") }
      try selection.write(to: &context)
    }
  }
}
