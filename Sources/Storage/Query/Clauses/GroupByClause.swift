/// `GROUP BY "team"`
struct GroupByClause: Hashable, Sendable {
  var expressions: [ExpressionNode] = []

  func write(to context: inout SQLContext) throws {
    guard !expressions.isEmpty else { return }
    let expressions = try expressions.connected(context.db)
    guard !expressions.isEmpty else { return }
    context.append(" GROUP BY ")
    try expressions.writeList(to: &context)
  }
}
