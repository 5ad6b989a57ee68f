extension Database {
  /// Alters a table.
  ///
  ///     try db.alter(table: "player") { t in t.add(column: "url", .text) }
  ///     // ALTER TABLE "player" ADD COLUMN "url" TEXT
  ///
  /// Either all changes are made, or none. SQLite supports few changes directly: see
  /// ``rebuild(table:options:body:)`` for other changes.
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
        let isStrict = try isStrict(table)
        try column.clause.keepingLargeIntegers(isStrict: isStrict)
          .resolved(keys, isStrict: isStrict).write(to: &context)
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

  /// Returns whether a table is strict. SQLite itself reports a table that does not exist.
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

extension Database {
  /// Gives a table a new definition that `ALTER TABLE` cannot make: other types, constraints or
  /// keys, or another order of its columns.
  ///
  ///     try db.rebuild(table: "player") { t in
  ///       t.primaryKey("id", .integer)
  ///       t.column("name", .text).notNull().collate(.nocase)
  ///       t.belongsTo("team", onDelete: .cascade)
  ///       t.copy("name", from: "full_name")
  ///     }
  ///     // CREATE TABLE "new_player" (…)
  ///     // INSERT INTO "new_player" ("id", "name", "teamId")
  ///     //   SELECT "id", "full_name", "teamId" FROM "player"
  ///     // DROP TABLE "player"
  ///     // ALTER TABLE "new_player" RENAME TO "player"
  ///     // CREATE INDEX … (as before)
  ///     // CREATE TRIGGER … (as before)
  ///
  /// The rows keep their row ids, including hidden ones, so references from other tables stay
  /// valid; nothing is cascaded. Indexes and triggers are created again; when the new definition
  /// creates an index of the same name, the new index replaces the old one. At the end, if foreign
  /// keys are enforced, the foreign keys of the table and those that refer to it are checked. A
  /// view or trigger that no longer works is an error.
  ///
  /// The rebuild runs in one transaction, or in a savepoint of the current transaction: a rebuild
  /// that fails or is interrupted leaves everything unchanged. It follows
  /// https://www.sqlite.org/lang_altertable.html#otheralter, but also works inside a transaction.
  ///
  /// A rebuild discards the statistics that `ANALYZE` collected about the table: run `ANALYZE`
  /// again if you use them.
  ///
  /// - Parameters:
  ///   - name: The name of the table, in `main` or `temp`.
  ///   - options: The kind of the new table: `strict` and `withoutRowID`.
  ///   - body: Adds the columns and constraints, and names the sources of the values.
  /// - Throws: Any error of `body`, and ``DatabaseError`` when a row does not fit the new
  ///   definition, when an index or a trigger refers to something that no longer exists (drop it
  ///   first), or when a foreign key is violated.
  ///
  /// - Complexity: Each row is written once, and each index is sorted again. Until the end, the
  ///   file holds the table twice.
  public func rebuild(
    table name: String,
    options: TableOptions = [],
    body: (TableRebuild) throws -> Void
  ) throws {
    guard options.isDisjoint(with: [.temporary, .ifNotExists]) else {
      throw DatabaseError.misuse(
        "a table is rebuilt in place: rebuild supports only the options strict and withoutRowID"
      )
    }
    try inSavepoint {
      let definition = TableRebuild(name: name, options: options)
      try body(definition)
      try RebuildPlan(definition, self).run()
      return .commit
    }
  }
}
