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

/// `UPDATE "player" SET "score" = 0 WHERE …`
struct Update: SQLStatement {
  let conflict: Database.ConflictResolution
  let assignments: [ColumnAssignment]
  let rows: RowSelection

  func write(to context: inout SQLContext) throws {
    if let db = context.db { try check(db) }
    let joined = try rows.joinedTables()
    try rows.writeWith(to: &context)
    context.append("UPDATE\(conflict.sql) ")
    try context.with(tables: [rows.table], outside: joined) { context in
      context.tables[0].writeTarget(to: &context)
      context.append(" SET ")
      if let db = context.db, readsOtherTables(joined, db) {
        try writeFrom(joined, db, to: &context)
      } else {
        try write(assignments, to: &context)
        try rows.write(to: &context)
      }
    }
  }

  private func check(_ db: Database) throws {
    try rows.check(db)
    // SQLite gives the other columns of a view as NULL.
    guard !rows.returning.selection.isEmpty, try db.isView(rows.table.tableName) else { return }
    throw DatabaseError(
      resultCode: .SQLITE_MISUSE,
      message: """
        SQLite does not return the columns of the view \(rows.table.tableName) that an update leaves \
        as they are: update the row, and fetch it
        """
    )
  }

  private func write(_ assignments: [ColumnAssignment], to context: inout SQLContext) throws {
    for (index, assignment) in assignments.enumerated() {
      if index > 0 { context.append(", ") }
      try assignment.write(to: &context)
    }
  }
}

// MARK: - Values of joined tables

extension Update {
  /// Whether a value refers to a table that the request joins.
  private func readsOtherTables(_ joined: [TableReference], _ db: Database) -> Bool {
    guard !joined.isEmpty else { return false }
    var context = SQLContext(db)
    // Other errors in the values are found when they are written.
    try? context.with(tables: [rows.table], outside: joined) { try write(assignments, to: &$0) }
    return context.refersOutside
  }

  /// Writes the values, and the conditions, as a query of the joined rows:
  ///
  /// ```sql
  /// "pay" = ":new".":1" FROM (SELECT "employee1"."id" AS ":key1", "employee2"."pay" AS ":1"
  /// FROM "employee" "employee1" JOIN …) ":new" WHERE "employee"."id" = ":new".":key1"
  /// ```
  ///
  /// SQLite runs the query before it changes the first row.
  /// https://www.sqlite.org/lang_update.html#upfrom
  private func writeFrom(
    _ joined: [TableReference],
    _ db: Database,
    to context: inout SQLContext
  ) throws {
    guard rows.request.from.joins.isEmpty, rows.request.associations.allSatisfy(\.isOneRow) else {
      throw DatabaseError(
        resultCode: .SQLITE_MISUSE,
        message: """
          a row of \(rows.table.tableName) may be joined with several rows, so that the value of a \
          column of theirs is not known: assign a subquery with one value instead
          """
      )
    }
    let new = ":new".quotedDatabaseIdentifier + "."
    let keys = try rows.keyColumns(db)
    let keyNames = keys.indices.map { ":key\($0 + 1)" }
    let valueNames = assignments.indices.map { ":\($0 + 1)" }
    for (index, assignment) in assignments.enumerated() {
      if index > 0 { context.append(", ") }
      context.append(identifier: assignment.column)
      context.append(" = \(new)\(valueNames[index].quotedDatabaseIdentifier)")
    }
    context.append(" FROM ")
    let selection =
      zip(keys, keyNames).map { Column($0).forKey($1) }
      + zip(assignments, valueNames).map { SQLSelection(.alias($0.value, $1)) }
    let query = try rows.selecting(selection, db)
    try context.withoutTables { try query.write(to: &$0) }
    context.append(" \(":new".quotedDatabaseIdentifier) WHERE ")
    for (index, key) in keys.enumerated() {
      if index > 0 { context.append(" AND ") }
      context.append(context.tables[0].qualifier)
      context.append(identifier: key)
      context.append(" = \(new)\(keyNames[index].quotedDatabaseIdentifier)")
    }
    try rows.writeReturning(to: &context)
  }
}

extension AssociationNode {
  /// Whether the association joins a row with one row at most.
  fileprivate var isOneRow: Bool {
    guard isJoined else { return true }
    return isToOne && statement.from.joins.isEmpty
      && statement.associations.allSatisfy(\.isOneRow)
  }
}

/// `DELETE FROM "player" WHERE …`
struct Delete: SQLStatement {
  let rows: RowSelection

  func write(to context: inout SQLContext) throws {
    if let db = context.db { try rows.check(db) }
    try rows.writeWith(to: &context)
    context.append("DELETE FROM ")
    try context.with(tables: [rows.table], outside: rows.joinedTables()) { context in
      context.tables[0].writeTarget(to: &context)
      try rows.write(to: &context)
    }
  }
}
