extension Database {
  /// Drops a table, with its rows, its indexes and its triggers.
  ///
  ///     try db.drop(table: "obsolete")
  ///     // DROP TABLE "obsolete"
  ///
  /// Where foreign keys are enforced, the rows are deleted first, with all that this does to the rows that
  /// refer to them.
  ///
  /// - Parameters:
  ///   - name: The name of the table.
  ///   - ifExists: Whether it is fine when there is none.
  /// - Throws: ``DatabaseError`` when there is no such table, or with `SQLITE_CONSTRAINT_FOREIGNKEY` when rows
  ///   of other tables refer to it.
  public func drop(table name: String, ifExists: Bool = false) throws {
    try drop("TABLE", name, ifExists: ifExists)
  }

  /// Drops a view.
  ///
  ///     try db.drop(view: "hero")
  ///     // DROP VIEW "hero"
  ///
  /// - Throws: ``DatabaseError`` when there is no such view, unless `ifExists` says that this is fine.
  public func drop(view name: String, ifExists: Bool = false) throws {
    try drop("VIEW", name, ifExists: ifExists)
  }

  /// Drops an index.
  ///
  ///     try db.drop(index: "byEmail", ifExists: true)
  ///     // DROP INDEX IF EXISTS "byEmail"
  ///
  /// - Throws: ``DatabaseError`` when there is no such index, unless `ifExists` says that this is fine.
  public func drop(index name: String, ifExists: Bool = false) throws {
    try drop("INDEX", name, ifExists: ifExists)
  }

  /// Drops a trigger.
  ///
  ///     try db.drop(trigger: "player_insert")
  ///     // DROP TRIGGER "player_insert"
  ///
  /// - Throws: ``DatabaseError`` when there is no such trigger, unless `ifExists` says that this is fine.
  public func drop(trigger name: String, ifExists: Bool = false) throws {
    try drop("TRIGGER", name, ifExists: ifExists)
  }

  /// Drops the index on these columns, whatever its name is.
  ///
  ///     try db.drop(indexOn: "users", columns: ["email"])
  ///     // DROP INDEX "index_users_on_email"
  ///
  /// Indexes of constraints, on expressions, and of some rows only are not looked at.
  ///
  /// - Throws: ``DatabaseError`` when there is no such index, unless `ifExists` says that this is fine, or when
  ///   there are several.
  public func drop(
    indexOn table: String,
    columns: [String],
    ifExists: Bool = false
  ) throws {
    let names = columns.map(\.asciiLowercased)
    let indexes = try indexes(on: table).filter { index in
      index.origin == .createIndex && !index.isPartial
        && index.terms.map { $0.column?.asciiLowercased } == names
    }
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

// MARK: - Reindexing

extension Database {
  /// Makes all indexes anew that use a collation, because it sorts in another way than before.
  ///
  ///     try db.reindex(collation: .nocase)
  ///     // REINDEX NOCASE
  ///
  /// - Throws: ``DatabaseError``, with `SQLITE_CONSTRAINT_UNIQUE` when a unique index finds equal rows.
  public func reindex(collation: CollationName) throws {
    try run(sql: "REINDEX \(collation.rawValue.sqlWord)")
  }

  /// Makes all indexes anew that use a collation in Swift, because it sorts in another way than before.
  ///
  ///     try db.reindex(collation: .localizedCompare)
  ///     // REINDEX swiftLocalizedCompare
  ///
  /// - Throws: ``DatabaseError``, with `SQLITE_CONSTRAINT_UNIQUE` when a unique index finds equal rows.
  public func reindex(collation: DatabaseCollation) throws {
    try reindex(collation: CollationName(collation.name))
  }
}
