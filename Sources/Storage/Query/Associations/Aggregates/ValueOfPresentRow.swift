/// A value that is NULL where an outer join finds no row:
/// `CASE WHEN "team"."id" IS NOT NULL THEN … END`.
struct ValueOfPresentRow: ExpressionPart {
  let expression: ExpressionNode

  var isOperand: Bool { true }
  var operands: [ExpressionNode] { [expression] }

  func write(to context: inout SQLContext) throws {
    guard let db = context.db else { return try expression.write(to: &context) }
    context.append("CASE WHEN ")
    // Row ids that no column holds are out of reach where the join is in parentheses.
    try context.append(column: db.primaryKey(context.keyedTable.tableName).columns[0])
    context.append(" IS NOT NULL THEN ")
    try expression.write(to: &context)
    context.append(" END")
  }
}
