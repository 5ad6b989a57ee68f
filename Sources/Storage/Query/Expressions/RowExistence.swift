/// Whether an outer join found a row: `"id" IS NOT NULL`.
///
/// In a view without a key, all columns are compared:
/// `"a" IS NOT NULL OR "b" IS NOT NULL`.
struct RowExistence: NegatableExpression {
  var isNegated = false

  func write(to context: inout SQLContext) throws {
    guard let columns = try columns(&context) else {
      return context.append("<primary key>\(isNegated ? " IS NULL" : " IS NOT NULL")")
    }
    for (index, column) in columns.enumerated() {
      if index > 0 { context.append(isNegated ? " AND " : " OR ") }
      try context.append(column: column)
      context.append(isNegated ? " IS NULL" : " IS NOT NULL")
    }
  }

  /// The columns that are compared; `nil` without a schema.
  private func columns(_ context: inout SQLContext) throws -> [String]? {
    guard let db = context.db else { return nil }
    let table = try context.keyedTable
    guard let name = table.recordTableName else { return try table.columnNames(db) }
    let info = try db.tableInfo(name)
    guard info.hasKey else { return info.columns.map(\.name) }
    // Row ids that no column holds are out of reach where the join is in parentheses.
    return [info.primaryKey.columns[0]]
  }
}
