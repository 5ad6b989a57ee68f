extension Database {
  /// Alters a table.
  ///
  ///     try db.alter(table: "player") { t in t.add(column: "url", .text) }
  ///     // ALTER TABLE "player" ADD COLUMN "url" TEXT
  ///
  /// Either all changes are made, or none. SQLite supports few changes directly: see
  /// ``rebuild(table:options:body:)`` for the rest.
  ///
  /// - Parameters:
  ///   - name: The name of the table.
  ///   - body: Describes the changes.
  /// - Throws: Any error of `body`, and ``DatabaseError`` when SQLite cannot make a change, or when
  ///   a column is renamed or dropped that a full-text table reads from this table.
  public func alter(table name: String, body: (TableAlteration) throws -> Void) throws {
    let alteration = TableAlteration(name: name)
    try body(alteration)
    guard !alteration.changes.isEmpty else { return }
    try inSavepoint {
      for change in alteration.changes {
        switch change {
        case .rename(let column, _), .drop(let column):
          // Of a table that does not exist, SQLite says so.
          if try tableExists(name) { try FullTextReaders(of: name, self).check(column: column) }
        case .add, .addLiteral: break
        }
        try run(change, on: name)
      }
      return .commit
    }
  }

  private func run(_ change: TableAlteration.Change, on table: String) throws {
    var index: IndexDefinition?
    try define { context in
      context.append("ALTER TABLE ")
      context.append(identifier: table)
      switch change {
      case .add(let column):
        let keys = ParentKeys(db: self, table: table)
        context.append(" ADD COLUMN ")
        try column.clause.resolved(keys, isStrict: isStrict(table)).write(to: &context)
        index = column.clause.index(on: table, options: [])
      case .addLiteral(let sql):
        context.append(" ADD COLUMN ")
        try context.append(sql)
      case .rename(let name, let newName):
        context.append(" RENAME COLUMN ")
        context.append(identifier: name)
        context.append(" TO ")
        context.append(identifier: newName)
      case .drop(let name):
        context.append(" DROP COLUMN ")
        context.append(identifier: name)
      }
    }
    if let index { try define(index.write) }
  }

  /// Returns whether a table is strict. SQLite reports one that does not exist.
  private func isStrict(_ table: String) throws -> Bool {
    guard let schema = try? tableInfo(table).schema else { return false }
    let sql = "SELECT strict FROM pragma_table_list WHERE schema = ? AND name = ? COLLATE NOCASE"
    return try Bool.fetchOne(self, sql: sql, arguments: [schema, table]) ?? false
  }

  /// Renames a table, including in the indexes, triggers, views and foreign keys that refer to it.
  ///
  ///     try db.rename(table: "referers", to: "referrers")
  ///     // ALTER TABLE "referers" RENAME TO "referrers"
  ///
  /// A full-text table that has its texts in the table is made again, with the new name as its
  /// content, and its index is rebuilt.
  ///
  /// - Throws: ``DatabaseError`` when the table does not exist, or when the new name is taken.
  public func rename(table name: String, to newName: String) throws {
    let names = (name.quotedDatabaseIdentifier, newName.quotedDatabaseIdentifier)
    let sql = "ALTER TABLE \(names.0) RENAME TO \(names.1)"
    // SQLite reports a table that does not exist.
    let readers = try tableExists(name) ? FullTextReaders(of: name, self) : nil
    guard let readers, !readers.isEmpty else {
      try run(sql: sql)
      return
    }
    try inSavepoint {
      try run(sql: sql)
      try readers.read(from: newName)
      return .commit
    }
  }
}
