extension Database {
  /// Creates the triggers that copy the changes of a table to a full-text table, and fills the
  /// full-text table.
  ///
  /// The closure builds the statements of the triggers from the columns of the full-text table and
  /// from the name of the other table's row id, all quoted.
  func synchronize(
    fullTextTable: String,
    withTable table: String,
    configuration: VirtualTableConfiguration,
    statements: (_ columns: [String], _ rowID: String) -> KeyValuePairs<
      FullTextTriggers.Moment, [String]
    >
  ) throws {
    let triggers = FullTextTriggers(
      fullTextTable: fullTextTable,
      ifNotExists: configuration.ifNotExists
    )
    if configuration.temporary {
      try checkIsTemporary(table)
    }
    let rowID = try rowIDName(ofTable: table)
    let columns = try columns(in: fullTextTable).map(\.name.quotedDatabaseIdentifier)
    for (moment, statements) in statements(columns, rowID) {
      try triggers.create(moment, on: table, statements, self)
    }
    try rebuild(fullTextTable: fullTextTable)
  }

  /// Throws when a temporary full-text table cannot read a table: SQLite looks for it among the
  /// temporary tables only.
  private func checkIsTemporary(_ table: String) throws {
    guard try tableInfo(table).schema.asciiLowercased != "temp" else { return }
    throw DatabaseError(
      resultCode: .SQLITE_MISUSE,
      message: """
        a temporary full-text table cannot be synchronized with \(table), which is not temporary: \
        copy the texts, or create the full-text table without the option temporary
        """
    )
  }

  /// Returns the quoted name of a table's row id, for use in triggers.
  private func rowIDName(ofTable table: String) throws -> String {
    let info = try tableInfo(table)
    guard info.primaryKey.tableHasRowID else {
      throw DatabaseError(
        resultCode: .SQLITE_MISUSE,
        message: """
          a full-text table cannot be synchronized with \(table), which is WITHOUT ROWID: full-text \
          tables refer to rows by row id
          """
      )
    }
    guard let name = info.rowIDName else {
      throw DatabaseError(
        resultCode: .SQLITE_MISUSE,
        message: """
          a full-text table cannot be synchronized with \(table): the columns rowid, _rowid_ and oid \
          leave no name for its row id
          """
      )
    }
    return name.quotedDatabaseIdentifier
  }
}

extension Database {
  /// Drops the triggers that ``FTS4TableDefinition/synchronize(withTable:)`` created for a
  /// full-text table.
  ///
  /// Call it when you drop the full-text table.
  ///
  /// - Throws: ``DatabaseError``.
  public func dropFTS4SynchronizationTriggers(forTable tableName: String) throws {
    try FullTextTriggers(fullTextTable: tableName).drop(self)
  }

  /// Drops the triggers that ``FTS5TableDefinition/synchronize(withTable:)`` created for a
  /// full-text table.
  ///
  /// Call it when you drop the full-text table.
  ///
  /// - Throws: ``DatabaseError``.
  public func dropFTS5SynchronizationTriggers(forTable tableName: String) throws {
    try FullTextTriggers(fullTextTable: tableName).drop(self)
  }
}

extension Database {
  /// Rebuilds the index of a full-text table from its texts.
  ///
  ///     try db.rebuild(fullTextTable: "document")
  ///     // INSERT INTO "document" ("document") VALUES ('rebuild')
  ///
  /// - Throws: ``DatabaseError``, for example for a contentless table.
  public func rebuild(fullTextTable table: String) throws { try command("rebuild", table) }

  /// Merges the segments of a full-text table's index into one, which makes queries faster.
  ///
  ///     try db.optimize(fullTextTable: "document")
  ///     // INSERT INTO "document" ("document") VALUES ('optimize')
  ///
  /// - Throws: ``DatabaseError``.
  public func optimize(fullTextTable table: String) throws { try command("optimize", table) }

  /// Checks that the index of a full-text table matches its texts.
  ///
  ///     try db.checkIntegrity(ofFullTextTable: "document")
  ///     // INSERT INTO "document" ("document") VALUES ('integrity-check')
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_CORRUPT_VTAB` when the index does not match.
  public func checkIntegrity(ofFullTextTable table: String) throws {
    try command("integrity-check", table)
  }

  private func command(_ command: String, _ table: String) throws {
    let name = table.quotedDatabaseIdentifier
    try execute(sql: "INSERT INTO \(name) (\(name)) VALUES ('\(command)')")
  }
}
