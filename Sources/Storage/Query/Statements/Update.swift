/// `UPDATE "player" SET "score" = 0 WHERE …`
struct Update: SQLStatement {
  let conflict: Database.ConflictResolution
  let assignments: [ColumnAssignment]
  let rows: RowSelection

  func write(to context: inout SQLContext) throws {
    try rows.request.with.write(to: &context)
    context.append("UPDATE\(conflict.sql) ")
    try context.with(tables: [rows.table]) { context in
      try rows.table.write(to: &context)
      context.append(" SET ")
      for (index, assignment) in assignments.enumerated() {
        if index > 0 { context.append(", ") }
        try assignment.write(to: &context)
      }
      try rows.write(to: &context)
    }
  }
}
