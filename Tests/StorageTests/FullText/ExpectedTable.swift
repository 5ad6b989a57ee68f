import Storage
import Testing

@testable import StorageTestSupport

/// Creates a virtual table, and checks its SQL.
func expectTable<Module: VirtualTableModule>(
  _ module: Module,
  _ arguments: String,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ body: (Module.TableDefinition) -> Void
) throws {
  try withDatabase { db throws in
    // FTS4 looks up the functions when it creates the table.
    db.add(function: DatabaseFunction("zip", argumentCount: 1) { $0[0] })
    db.add(function: DatabaseFunction("unzip", argumentCount: 1) { $0[0] })
    try db.execute(sql: "CREATE TABLE post (id INTEGER PRIMARY KEY, title TEXT, body TEXT)")
    try db.create(virtualTable: "mail", using: module, body)
    #expect(
      try String.fetchOne(db, sql: "SELECT sql FROM sqlite_master WHERE name = 'mail'")
        == "CREATE VIRTUAL TABLE \"mail\" USING \(arguments)",
      sourceLocation: sourceLocation
    )
  }
}
