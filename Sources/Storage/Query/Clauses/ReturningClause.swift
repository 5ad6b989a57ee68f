/// `RETURNING "id", "name"`
struct ReturningClause: Hashable, Sendable {
  let selection: [SQLSelection]

  func write(to context: inout SQLContext) throws {
    let selection = try selection.connected(context.db)
    guard !selection.isEmpty else { return }
    context.append(" RETURNING ")
    for (index, selection) in selection.enumerated() {
      if index > 0 { context.append(", ") }
      try selection.write(to: &context)
    }
  }
}
