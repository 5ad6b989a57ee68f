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
