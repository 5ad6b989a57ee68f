/// ` OVER (PARTITION BY "teamID" ORDER BY "score" DESC)`
struct WindowClause: Hashable, Sendable {
  let partition: [ExpressionNode]
  let order: OrderByClause
  /// The rows of the partition that the function sees: `ROWS BETWEEN …`.
  let frame: SQL?

  func write(to context: inout SQLContext) throws {
    context.append(" OVER (")
    if !partition.isEmpty {
      context.append("PARTITION BY ")
      try partition.writeList(to: &context)
      if !order.terms.isEmpty { context.append(" ") }
    }
    if !order.terms.isEmpty { try order.write(list: &context) }
    if let frame {
      context.append(" ")
      try context.append(frame)
    }
    context.append(")")
  }
}
