/// `DELETE FROM "player" WHERE …`
struct Delete: SQLStatement {
  let rows: RowSelection

  func write(to context: inout SQLContext) throws {
    if let db = context.db { try rows.check(db) }
    try rows.request.with.write(to: &context)
    context.append("DELETE FROM ")
    try context.with(tables: [rows.table], outside: rows.joinedTables()) { context in
      context.tables[0].writeTarget(to: &context)
      try rows.write(to: &context)
    }
  }
}
