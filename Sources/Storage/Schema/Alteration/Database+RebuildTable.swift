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
  /// creates an index of the same name, that one replaces the old one. At the end, if foreign keys
  /// are enforced, those of the table and those that refer to it are checked. A view or trigger
  /// that no longer works is an error.
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
