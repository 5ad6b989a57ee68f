internal import CWellspringSQLite

extension Database {
  /// Whether this connection enforces foreign keys now.
  var enforcesForeignKeys: Bool {
    get throws {
      try unrecorded { try Bool.fetchOne(self, sql: "PRAGMA foreign_keys") ?? false }
    }
  }

  /// Runs a closure with foreign keys disabled: nothing is refused, cascaded or set to NULL.
  ///
  /// `PRAGMA foreign_keys` is silently ignored inside a transaction; this works there too.
  /// Violations from before the call are still counted at the end of the transaction.
  func withoutForeignKeys<Value>(_ body: () throws -> Value) throws -> Value {
    guard try enforcesForeignKeys else { return try body() }
    return try with(SQLITE_DBCONFIG_ENABLE_FKEY, false, body)
  }

  /// Runs a closure during which `ALTER TABLE … RENAME` renames the table only, and does not
  /// rewrite the triggers, views and foreign keys that refer to it.
  /// https://www.sqlite.org/pragma.html#pragma_legacy_alter_table
  func withPlainRenaming<Value>(_ body: () throws -> Value) throws -> Value {
    let isPlain = try unrecorded {
      try Bool.fetchOne(self, sql: "PRAGMA legacy_alter_table") ?? false
    }
    guard !isPlain else { return try body() }
    return try with(SQLITE_DBCONFIG_LEGACY_ALTER_TABLE, true, body)
  }

  /// Runs a closure during which an unknown name in double quotes does not count as a string.
  /// https://www.sqlite.org/quirks.html#double_quoted_string_literals_are_accepted
  func withoutQuotedStrings<Value>(_ body: () throws -> Value) rethrows -> Value {
    let areAccepted =
      wellspring_db_config_value(sqliteConnection, SQLITE_DBCONFIG_DQS_DML, -1) != 0
    return try areAccepted ? with(SQLITE_DBCONFIG_DQS_DML, false, body) : body()
  }

  private func with<Value>(
    _ option: Int32,
    _ value: Bool,
    _ body: () throws -> Value
  ) rethrows -> Value {
    _ = wellspring_db_config(sqliteConnection, option, value ? 1 : 0)
    defer { _ = wellspring_db_config(sqliteConnection, option, value ? 0 : 1) }
    return try body()
  }
}

extension Database {
  /// Rebuilds every index that uses a collation, after its sort order has changed.
  ///
  ///     try db.reindex(collation: .nocase)
  ///     // REINDEX NOCASE
  ///
  /// - Throws: ``DatabaseError``, with `SQLITE_CONSTRAINT_UNIQUE` when a unique index finds equal
  ///   rows.
  public func reindex(collation: CollationName) throws {
    try run(sql: "REINDEX \(collation.rawValue.sqlWord)")
  }

  /// Rebuilds every index that uses a collation defined in Swift, after its sort order has changed.
  ///
  ///     try db.reindex(collation: .localizedCompare)
  ///     // REINDEX swiftLocalizedCompare
  ///
  /// - Throws: ``DatabaseError``, with `SQLITE_CONSTRAINT_UNIQUE` when a unique index finds equal
  ///   rows.
  public func reindex(collation: DatabaseCollation) throws {
    try reindex(collation: CollationName(collation.name))
  }
}
