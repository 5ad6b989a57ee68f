/// The columns of the primary key: `"id"`, or `"playerID", "countryCode"`.
struct PrimaryKeyColumns: ExpressionPart {
  var isOperand: Bool { true }

  func write(to context: inout SQLContext) throws {
    guard let db = context.db else { return context.append("<primary key>") }
    let table = try context.keyedTable
    let columns = try db.primaryKey(table.tableName).columns
    for (index, column) in columns.enumerated() {
      if index > 0 { context.append(", ") }
      try context.append(column: column)
    }
  }
}
