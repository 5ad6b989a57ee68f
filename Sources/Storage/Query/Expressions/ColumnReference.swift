/// A column in an expression: `"score"`, or `"player"."score"` where several tables are read.
struct ColumnReference: ExpressionPart {
  let name: String
  /// Whether the name belongs to no table.
  var isDetached = false
  var isJSONText = false

  var isOperand: Bool { true }

  func write(to context: inout SQLContext) throws {
    if isDetached {
      context.append(identifier: name)
    } else {
      try context.append(column: name)
    }
  }
}
