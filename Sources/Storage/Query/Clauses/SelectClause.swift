/// `SELECT DISTINCT "id", "name"`
struct SelectClause: Hashable, Sendable {
  var selection: [SQLSelection]
  var isDistinct = false

  func write(to context: inout SQLContext) throws {
    context.append(isDistinct ? "SELECT DISTINCT " : "SELECT ")
    try write(list: &context)
  }

  private func write(list context: inout SQLContext) throws {
    // SQL has no selection of nothing.
    guard !selection.isEmpty else { return context.append("NULL") }
    for (index, selection) in selection.enumerated() {
      if index > 0 { context.append(", ") }
      try selection.write(to: &context)
    }
  }
}
