/// `LEFT JOIN "team" ON "team"."id" = "player"."teamID"`
struct JoinClause: Hashable, Sendable {
  enum Kind: String {
    case inner = "JOIN"
    case left = "LEFT JOIN"
    case cross = "CROSS JOIN"
  }

  let kind: Kind
  let table: TableReference
  let conditions: [ExpressionNode]
  /// The selected columns of the table.
  var selection: [SQLSelection]

  func write(to context: inout SQLContext) throws {
    context.append(" \(kind.rawValue) ")
    try table.write(to: &context)
    guard !conditions.isEmpty else { return }
    context.append(" ON ")
    // An unqualified column may belong to any of the tables.
    try context.with(owner: nil) {
      try SQLExpression.chain(.and, conditions).node.write(to: &$0)
    }
  }
}
