extension DatabaseMigrator {
  /// Drops everything when the schema differs from the one that the migrations create, if
  /// ``eraseDatabaseOnSchemaChange`` is set.
  func eraseIfChanged(_ db: Database) throws {
    guard eraseDatabaseOnSchemaChange else { return }
    try db.withoutForeignKeys {
      try lockedTransaction(db) {
        if try hasSchemaChanges(db) { try db.dropAll() }
        return .commit
      }
    }
  }
}

extension Database {
  /// Drops everything in `main`, in the current transaction.
  fileprivate func dropAll() throws {
    for view in try schemaObjects(.view) { try drop(view: view.name) }
    // Virtual tables go first, because they drop the tables that store their data.
    for isVirtual in [true, false] {
      for table in try schemaObjects(.table) where try tableExists(table.name, in: "main") {
        let kind = try tableInfo(table.name, in: "main").kind
        if (kind == .virtual) == isVirtual { try drop(table: table.name) }
      }
    }
    try setUserVersion(0)
  }
}
