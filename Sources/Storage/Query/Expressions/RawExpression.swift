/// A piece of SQL where an expression is expected.
struct RawExpression: ExpressionPart {
  let sql: SQL

  func write(to context: inout SQLContext) throws { try context.append(sql) }

  var operands: [ExpressionNode] {
    sql.elements.compactMap { if case .expression(let expression) = $0 { expression } else { nil } }
  }
}
