internal import CWellspringSQLite

extension Database {
  /// Whether foreign keys are enforced now.
  var enforcesForeignKeys: Bool {
    get throws {
      try unrecorded { try Bool.fetchOne(self, sql: "PRAGMA foreign_keys") ?? false }
    }
  }

  /// Runs a closure while foreign keys are not enforced: nothing is refused, cascaded or set to NULL.
  ///
  /// In a transaction `PRAGMA foreign_keys` does nothing, silently; this does. What was violated before stays
  /// counted until the end of the transaction.
  func withoutForeignKeys<Value>(_ body: () throws -> Value) throws -> Value {
    guard try enforcesForeignKeys else { return try body() }
    return try with(SQLITE_DBCONFIG_ENABLE_FKEY, false, body)
  }

  /// Runs a closure while `ALTER TABLE … RENAME` changes the name of the table only, and leaves those as they
  /// are that refer to it by its name. https://www.sqlite.org/pragma.html#pragma_legacy_alter_table
  func withPlainRenaming<Value>(_ body: () throws -> Value) throws -> Value {
    let isPlain = try unrecorded {
      try Bool.fetchOne(self, sql: "PRAGMA legacy_alter_table") ?? false
    }
    guard !isPlain else { return try body() }
    return try with(SQLITE_DBCONFIG_LEGACY_ALTER_TABLE, true, body)
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
