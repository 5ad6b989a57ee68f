/// `WHERE "score" >= 1000`, `HAVING MIN("score") >= 1000`
struct ConditionClause: Hashable, Sendable {
  enum Keyword: String {
    case `where` = "WHERE"
    case having = "HAVING"
  }

  let keyword: Keyword
  var conditions: [ExpressionNode] = []

  func write(to context: inout SQLContext) throws {
    guard !conditions.isEmpty else { return }
    context.append(" \(keyword.rawValue) ")
    try SQLExpression.chain(.and, conditions).node.write(to: &context)
  }
}

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

/// ` OVER (PARTITION BY "teamID" ORDER BY "score" DESC)`
struct WindowClause: Hashable, Sendable {
  let partition: [ExpressionNode]
  let order: OrderByClause
  /// The rows of the partition that the function sees: `ROWS BETWEEN …`.
  let frame: SQL?

  /// Whether the rows of the window are groups, because it is made by aggregates.
  var containsAggregate: Bool {
    partition.contains { $0.part.isAggregate } || order.terms.contains(where: \.isAggregate)
  }

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
