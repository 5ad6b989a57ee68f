extension Database {
  /// Drops a table with its rows, indexes and triggers.
  ///
  ///     try db.drop(table: "obsolete")
  ///     // DROP TABLE "obsolete"
  ///
  /// When foreign keys are enforced, the rows are deleted first, and the foreign key actions of the
  /// rows that refer to them run.
  ///
  /// - Parameters:
  ///   - name: The name of the table.
  ///   - ifExists: Whether to do nothing when the table does not exist.
  /// - Throws: ``DatabaseError`` when the table does not exist, or with
  ///   `SQLITE_CONSTRAINT_FOREIGNKEY` when rows of other tables refer to it.
  public func drop(table name: String, ifExists: Bool = false) throws {
    try drop("TABLE", name, ifExists: ifExists)
  }

  /// Drops a view.
  ///
  ///     try db.drop(view: "hero")
  ///     // DROP VIEW "hero"
  ///
  /// - Throws: ``DatabaseError`` when the view does not exist, unless `ifExists` is set.
  public func drop(view name: String, ifExists: Bool = false) throws {
    try drop("VIEW", name, ifExists: ifExists)
  }

  /// Drops an index.
  ///
  ///     try db.drop(index: "byEmail", ifExists: true)
  ///     // DROP INDEX IF EXISTS "byEmail"
  ///
  /// - Throws: ``DatabaseError`` when the index does not exist, unless `ifExists` is set.
  public func drop(index name: String, ifExists: Bool = false) throws {
    try drop("INDEX", name, ifExists: ifExists)
  }

  /// Drops a trigger.
  ///
  ///     try db.drop(trigger: "player_insert")
  ///     // DROP TRIGGER "player_insert"
  ///
  /// - Throws: ``DatabaseError`` when the trigger does not exist, unless `ifExists` is set.
  public func drop(trigger name: String, ifExists: Bool = false) throws {
    try drop("TRIGGER", name, ifExists: ifExists)
  }

  /// Drops the index on the given columns, whatever its name.
  ///
  ///     try db.drop(indexOn: "users", columns: ["email"])
  ///     // DROP INDEX "index_users_on_email"
  ///
  /// Indexes created by constraints and indexes on expressions are ignored. A partial index is
  /// dropped when no other index is on these columns.
  ///
  /// - Throws: ``DatabaseError`` when no index matches, unless `ifExists` is set, or when several
  ///   indexes match.
  public func drop(
    indexOn table: String,
    columns: [String],
    ifExists: Bool = false
  ) throws {
    let names = columns.map(\.asciiLowercased)
    let matches = try indexes(on: table).filter { index in
      index.origin == .createIndex && index.terms.map { $0.column?.asciiLowercased } == names
    }
    let complete = matches.filter { !$0.isPartial }
    let indexes = complete.isEmpty ? matches : complete
    guard let index = indexes.first, indexes.count == 1 else {
      if indexes.isEmpty, ifExists { return }
      let list = columns.joined(separator: ", ")
      throw DatabaseError(
        resultCode: .SQLITE_ERROR,
        message: indexes.isEmpty
          ? "no such index: \(table)(\(list))"
          : """
          several indexes are on \(table)(\(list)): drop one by its name \
          (\(indexes.map(\.name).joined(separator: ", ")))
          """
      )
    }
    try drop(index: index.name)
  }

  private func drop(_ kind: String, _ name: String, ifExists: Bool) throws {
    let condition = ifExists ? "IF EXISTS " : ""
    try run(sql: "DROP \(kind) \(condition)\(name.quotedDatabaseIdentifier)")
  }
}
