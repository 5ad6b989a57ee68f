/// A value that is NULL where an outer join finds no row:
/// `CASE WHEN "team"."id" IS NOT NULL THEN … END`.
struct ValueOfPresentRow: ExpressionPart {
  let expression: ExpressionNode

  var isOperand: Bool { true }
  var operands: [ExpressionNode] { [expression] }

  func write(to context: inout SQLContext) throws {
    guard context.db != nil else { return try expression.write(to: &context) }
    context.append("CASE WHEN ")
    try RowExistence().write(to: &context)
    context.append(" THEN ")
    try expression.write(to: &context)
    context.append(" END")
  }
}
