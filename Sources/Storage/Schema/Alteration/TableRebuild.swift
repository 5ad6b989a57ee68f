/// Describes the new definition of a table in ``Database/rebuild(table:options:body:)``, and the
/// source of its values.
///
///     try db.rebuild(table: "player") { t in
///       t.primaryKey("id", .integer)
///       t.column("name", .text).notNull()
///       t.column("score", .integer).notNull().defaults(to: 0)
///       t.copy("name", from: "full_name")
///       t.copy("score", from: coalesce([Column("score"), 0]))
///     }
///
/// A column gets the values of the old column of the same name, unless ``copy(_:from:)-(_,String)``
/// names another source. A column without a source gets its default value.
public final class TableRebuild: TableDefinition {
  private(set) var sources: [(column: String, source: SQLExpression)] = []

  /// Fills a column with the values of an old column that has another name.
  ///
  ///     t.copy("name", from: "full_name")
  ///     // INSERT INTO "new_player" ("id", "name") SELECT "id", "full_name" FROM "player"
  public func copy(_ column: String, from oldColumn: String) {
    copy(column, from: Column(oldColumn))
  }

  /// Fills a column with values computed from the old columns.
  ///
  ///     t.copy("name", from: Column("first") + " " + Column("last"))
  ///     // INSERT INTO "new_player" … SELECT "first" || ' ' || "last" FROM "player"
  public func copy(_ column: String, from expression: some SQLSpecificExpressible) {
    sources.append((column, expression.sqlExpression))
  }

  /// Fills a column with values computed from the old columns.
  ///
  ///     t.copy("score", from: TypedColumn<Int?>("score") ?? 0)
  ///     // INSERT INTO "new_player" … SELECT IFNULL("score", 0) FROM "player"
  public func copy(_ column: String, from expression: some TypedExpressible) {
    copy(column, from: expression.untyped)
  }

  /// Fills a column with values computed from the old columns in SQL.
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
