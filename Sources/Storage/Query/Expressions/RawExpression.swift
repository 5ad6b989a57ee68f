/// A piece of SQL where an expression is expected.
struct RawExpression: ExpressionPart {
  let sql: SQL

  // A request is one value here, also in a list: `IN (1, (SELECT …))`.
  var isOperand: Bool { sql.onlyRequest != nil }

  func write(to context: inout SQLContext) throws {
    if let request = sql.onlyRequest { return try request.write(to: &context) }
    try context.append(sql)
  }

  var operands: [ExpressionNode] {
    sql.elements.compactMap { if case .expression(let expression) = $0 { expression } else { nil } }
  }
}
