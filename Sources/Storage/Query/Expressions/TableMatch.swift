/// A match of a pattern in a full-text table: `"document" MATCH 'sqlite'`.
struct TableMatch: ExpressionPart {
  let pattern: ExpressionNode

  func write(to context: inout SQLContext) throws {
    guard let table = context.mainTable else {
      throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "a pattern belongs to no table")
    }
    // The table has a hidden column with its own name, even under an alias.
    if context.tables.count > 1 || table.textName != table.tableName {
      context.append(table.qualifier)
    }
    context.append(identifier: table.tableName)
    context.append(" MATCH ")
    try pattern.writeOperand(to: &context)
  }
}
