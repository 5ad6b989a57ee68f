/// `INSERT INTO "player" ("name") VALUES ('Arthur')`
struct Insert: SQLStatement {
  enum Source: Hashable {
    /// The values of one row.
    case assignments([ColumnAssignment])
    /// The rows of a query.
    case query([String], SQLSubquery)
  }

  let table: String
  let conflict: Database.ConflictResolution
  let source: Source
  /// The update of an existing row that conflicts with the new one.
  var upsert: UpsertClause?
  var returning = ReturningClause(selection: [])

  func write(to context: inout SQLContext) throws {
    context.append("INSERT\(conflict.sql) INTO ")
    context.append(identifier: table)
    if case .query(let columns, let query) = source {
      // The query cannot refer to the table into which its rows are inserted.
      if !columns.isEmpty { write(columns: columns, to: &context) }
      context.append(" ")
      try query.query.write(to: &context)
    }
    let target = TableReference(tableName: table)
    try context.with(tables: [target], mayRename: false) { context in
      switch source {
      case .assignments(let assignments) where assignments.isEmpty:
        context.append(" DEFAULT VALUES")
      case .assignments(let assignments):
        write(columns: assignments.map(\.column), to: &context)
        context.append(" VALUES (")
        try assignments.map(\.value).writeList(to: &context)
        context.append(")")
      case .query:
        break
      }
      try upsert?.write(to: &context)
      try returning.write(to: &context)
    }
  }

  private func write(columns: [String], to context: inout SQLContext) {
    context.append(" (\(columns.map(\.quotedDatabaseIdentifier).joined(separator: ", ")))")
  }
}
