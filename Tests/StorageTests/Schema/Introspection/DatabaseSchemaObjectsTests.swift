import Storage
import Testing

@testable import StorageTestSupport

@Suite struct DatabaseSchemaObjectsTests {
  @Test func `A-063: schema objects are listed and found by name`() throws {
    try withParents { db in
      try db.execute(
        sql: """
          CREATE VIEW named AS SELECT name FROM users;
          CREATE INDEX byName ON users(name);
          CREATE TRIGGER t AFTER INSERT ON users BEGIN SELECT 1; END;
          CREATE TEMPORARY TRIGGER tt AFTER INSERT ON users BEGIN SELECT 1; END;
          """
      )
      try #expect(db.tableExists("USERS") && !db.tableExists("named") && !db.tableExists("x"))
      try #expect(db.viewExists("Named") && !db.viewExists("users"))
      try #expect(db.indexExists("BYNAME") && !db.indexExists("t"))
      try #expect(db.triggerExists("T") && db.triggerExists("tt", in: "temp"))
      try #expect(!db.triggerExists("tt", in: "main"))
      try #expect(db.triggers(on: "users").map(\.name) == ["t", "tt"])
      try #expect(
        db.schemaObjects(.table).map(\.name)
          == ["countries", "parents", "team", "users", "keyless"]
      )
      let view = try #require(try db.schemaObjects(.view).first)
      #expect(view.sql == "CREATE VIEW named AS SELECT name FROM users")
      let index = try #require(try db.schemaObjects(.index).first { $0.name == "byName" })
      #expect(index.tableName == "users")
      expectDatabaseError(.SQLITE_ERROR, "no such table: nothing") {
        _ = try db.indexes(on: "nothing")
      }
      expectDatabaseError(.SQLITE_ERROR, "no such table: nothing") {
        _ = try db.foreignKeys(on: "nothing")
      }
    }
  }

  @Test(arguments: [
    "sqlite_stat1", "SQLITE_SEQUENCE", "sqlite_master", "sqlite_schema", "sqlite_temp_master",
  ])
  func `tables of SQLite exist once they are made`(name: String) throws {
    try withDatabase { db in
      try db.execute(
        sql: "CREATE TABLE numbered (id INTEGER PRIMARY KEY AUTOINCREMENT); ANALYZE"
      )
      #expect(try db.tableExists(name))
      #expect(try db.tableExists(name, in: "main") != name.hasPrefix("sqlite_temp"))
      #expect(try !db.viewExists(name))
    }
    try withDatabase { db in
      let isAlwaysThere = name.hasSuffix("master") || name.hasSuffix("schema")
      try #expect(db.tableExists(name) == isAlwaysThere)
    }
  }
}
