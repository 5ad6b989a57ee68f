/// Describes the new definition of a table that is rebuilt, and where the values of its columns come from.
///
///     try db.rebuild(table: "player") { t in
///       t.primaryKey("id", .integer)
///       t.column("name", .text).notNull()
///       t.column("score", .integer).notNull().defaults(to: 0)
///       t.copy("name", from: "full_name")
///       t.copy("score", from: coalesce([Column("score"), 0]))
///     }
///
/// A column gets the values of the old column of the same name, unless ``copy(_:from:)-(_,String)`` says something
/// else; a column without an old one gets its default value.
public final class TableRebuild: TableDefinition {
  private(set) var sources: [(column: String, source: SQLExpression)] = []

  /// Fills a column with the values of an old column of another name.
  ///
  ///     t.copy("name", from: "full_name")
  ///     // INSERT INTO "new_player" ("id", "name") SELECT "id", "full_name" FROM "player"
  public func copy(_ column: String, from oldColumn: String) {
    copy(column, from: Column(oldColumn))
  }

  /// Fills a column with values that are computed from the old columns.
  ///
  ///     t.copy("name", from: Column("first") + " " + Column("last"))
  ///     // INSERT INTO "new_player" … SELECT "first" || ' ' || "last" FROM "player"
  public func copy(_ column: String, from expression: some SQLSpecificExpressible) {
    sources.append((column, expression.sqlExpression))
  }

  /// Fills a column with values that are computed from the old columns, in SQL.
  ///
  ///     t.copy("score", sql: "ifnull(score, 0)")
  ///     // INSERT INTO "new_player" … SELECT ifnull(score, 0) FROM "player"
  public func copy(
    _ column: String,
    sql: String,
    arguments: StatementArguments = StatementArguments()
  ) {
    copy(column, from: SQL(sql: sql, arguments: arguments))
  }
}

extension Database {
  /// Gives a table a new definition, where SQLite cannot alter it: other types, constraints, keys, or another
  /// order of its columns.
  ///
  ///     try db.rebuild(table: "player") { t in
  ///       t.primaryKey("id", .integer)
  ///       t.column("name", .text).notNull().collate(.nocase)
  ///       t.belongsTo("team", onDelete: .cascade)
  ///       t.copy("name", from: "full_name")
  ///     }
  ///     // CREATE TABLE "new_player" (…)
  ///     // INSERT INTO "new_player" ("id", "name", "teamId") SELECT "id", "full_name", "teamId" FROM "player"
  ///     // DROP TABLE "player"
  ///     // ALTER TABLE "new_player" RENAME TO "player"
  ///     // CREATE INDEX … (as before)
  ///     // CREATE TRIGGER … (as before)
  ///
  /// The rows keep their row ids, hidden ones too, and other tables go on to refer to them: nothing is
  /// cascaded. Indexes and triggers are created again; one that the new definition creates too is that of the
  /// new definition. At the end, the foreign keys of the table and those that refer to it are checked where
  /// foreign keys are enforced, and views and triggers that can no longer be used are an error.
  ///
  /// All is done in one transaction, or in a savepoint of the one that runs: a rebuild that fails, or is
  /// interrupted, leaves everything as it was. It follows
  /// https://www.sqlite.org/lang_altertable.html#otheralter, and works in a transaction as well.
  ///
  /// - Parameters:
  ///   - name: The name of the table, in `main` or `temp`.
  ///   - options: What kind of table it becomes: `strict` and `withoutRowID`.
  ///   - body: Adds the columns and the constraints, and says where the values come from.
  /// - Throws: What `body` throws, and ``DatabaseError``: when a row does not fit the new definition, when an
  ///   index or a trigger names what is no longer there (drop it before), or when a foreign key is violated.
  /// What `ANALYZE` has found out of the table is gone: run it again where it is used.
  ///
  /// - Complexity: Each row is written once, and each index is sorted anew. The table needs its space twice.
  public func rebuild(
    table name: String,
    options: TableOptions = [],
    body: (TableRebuild) throws -> Void
  ) throws {
    precondition(
      options.isDisjoint(with: [.temporary, .ifNotExists]),
      "A table is rebuilt where it is: the options of rebuild are strict and withoutRowID."
    )
    try inSavepoint {
      let definition = TableRebuild(name: name, options: options)
      try body(definition)
      try RebuildPlan(definition, self).run()
      return .commit
    }
  }
}
