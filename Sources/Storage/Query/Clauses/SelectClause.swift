/// `SELECT DISTINCT "id", "name"`
struct SelectClause: Hashable, Sendable {
  var selection: [SQLSelection]
  var isDistinct = false

  /// Writes the clause, and after its columns those of joined tables.
  func write(to context: inout SQLContext, joined: [SQLSelection]) throws {
    context.append(isDistinct ? "SELECT DISTINCT " : "SELECT ")
    let all = selection + joined
    // SQL has no selection of nothing.
    if all.isEmpty { context.append("NULL") }
    for (index, selection) in all.enumerated() {
      if index > 0 { context.append(", ") }
      try selection.write(to: &context)
    }
  }
}
