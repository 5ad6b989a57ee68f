/// `ORDER BY "score" DESC, "name"`
struct OrderByClause: Hashable, Sendable {
  var terms: [SQLOrdering] = []

  /// The same terms, each in the opposite direction.
  var reversed: OrderByClause { OrderByClause(terms: terms.map(\.reversed)) }

  func write(to context: inout SQLContext) throws {
    guard !terms.isEmpty else { return }
    context.append(" ")
    try write(list: &context)
  }

  /// Writes the clause without a leading space, as in `OVER (ORDER BY …)`.
  func write(list context: inout SQLContext) throws {
    context.append("ORDER BY ")
    for (index, term) in terms.enumerated() {
      if index > 0 { context.append(", ") }
      try term.write(to: &context)
    }
  }
}
