/// What distinguishes a row of a table from all others: its row id, or else its primary key.
///
/// A primary key may be NULL in several rows, unless it is the row id or the table has none.
struct RowIdentity: ExpressionPart {
  /// Whether the columns of a key are one value, such as an argument of `COUNT()`, rather than a
  /// list.
  let isSingleValue: Bool

  var isOperand: Bool { true }

  func write(to context: inout SQLContext) throws {
    guard let db = context.db else { return context.append("<primary key>") }
    let columns = try db.identity(ofRowsOf: context.keyedTable)
    guard isSingleValue, columns.count > 1 else {
      for (index, column) in columns.enumerated() {
        if index > 0 { context.append(", ") }
        try context.append(column: column)
      }
      return
    }
    // A row that an outer join does not find has only NULL, which QUOTE() would turn into a text.
    context.append("CASE WHEN ")
    try context.append(column: columns[0])
    context.append(" IS NOT NULL THEN ")
    for (index, column) in columns.enumerated() {
      if index > 0 { context.append(" || ',' || ") }
      context.append("QUOTE(")
      try context.append(column: column)
      context.append(")")
    }
    context.append(" END")
  }
}

extension Database {
  fileprivate func identity(ofRowsOf table: TableReference) throws -> [String] {
    let key = try primaryKey(table.tableName)
    if let column = key.rowIDColumn { return [column] }
    guard key.tableHasRowID, let name = try tableInfo(table.tableName).rowIDName else {
      return key.columns
    }
    return [name]
  }
}
