/// `LIMIT 10 OFFSET 20`
struct LimitClause: Hashable, Sendable {
  let count: Int
  var offset: Int?

  /// The limit to the first of these rows.
  var first: LimitClause { LimitClause(count: Swift.min(count, 1), offset: offset) }

  // The numbers are part of the text: they are never personal data, and SQLite's planner uses them.
  func write(to context: inout SQLContext) {
    context.append(" LIMIT \(count)")
    if let offset { context.append(" OFFSET \(offset)") }
  }
}
