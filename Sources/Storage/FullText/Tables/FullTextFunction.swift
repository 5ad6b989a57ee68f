/// A call of an auxiliary function of a full-text table, such as `OFFSETS("document")`.
struct FullTextFunction: ExpressionPart {
  let name: String
  let arguments: [ExpressionNode]

  var isOperand: Bool { true }
  var operands: [ExpressionNode] { arguments }

  func write(to context: inout SQLContext) throws {
    guard let table = context.mainTable else {
      throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "\(name) belongs to no table")
    }
    context.append("\(name)(")
    // The argument is the hidden column that has the name of the table, which an alias does not
    // change.
    if context.tables.count > 1 || table.alias != nil { context.append(table.qualifier) }
    context.append(identifier: table.tableName)
    for argument in arguments {
      context.append(", ")
      try argument.write(to: &context)
    }
    context.append(")")
  }
}

extension SQLExpression {
  static func fullText(
    _ name: String,
    _ arguments: [any SQLExpressible] = []
  ) -> SQLExpression {
    SQLExpression(FullTextFunction(name: name, arguments: arguments.map(\.node)))
  }
}
