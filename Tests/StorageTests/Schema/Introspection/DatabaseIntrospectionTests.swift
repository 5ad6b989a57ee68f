import Storage
import Testing
import TestSupport

@testable import StorageTestSupport

@Suite struct DatabaseIntrospectionTests {
  @Test func `CRQ-17: the columns of a table`() throws {
    try withLeague { db in
      let columns = try db.columns(in: "TEAM")
      #expect(columns.map(\.name) == ["id", "name", "color"])
      #expect(columns.map(\.type) == ["INTEGER", "TEXT", "TEXT"])
      #expect(columns.map(\.isNotNull) == [false, true, false])
      expectDatabaseError(.SQLITE_ERROR, "no such table: nothing") {
        _ = try db.columns(in: "nothing")
      }
    }
  }

  @Test func `generated columns are included in the columns`() throws {
    try withLeague { db in
      try db.execute(sql: "CREATE TABLE g (a DEFAULT 5, b AS (a + 1))")
      let columns = try db.columns(in: "g")
      #expect(columns.map(\.name) == ["a", "b"])
      #expect(columns.map(\.isGenerated) == [false, true])
      #expect(columns[0].defaultValueSQL == "5")
    }
  }

  @Test func `partial indexes and indexes on expressions are not unique keys`() throws {
    try withLeague { db in
      try db.execute(
        sql: """
          CREATE UNIQUE INDEX pair ON player (name, height);
          CREATE UNIQUE INDEX some ON player (score) WHERE isActive;
          CREATE UNIQUE INDEX computed ON player (abs(bonus));
          CREATE INDEX plain ON player (teamID);
          """
      )
      try #expect(db.table("player", hasUniqueKey: ["id"]))
      try #expect(db.table("player", hasUniqueKey: ["EMAIL"]))
      try #expect(db.table("player", hasUniqueKey: ["height", "name"]))
      try #expect(!db.table("player", hasUniqueKey: ["name"]))
      try #expect(!db.table("player", hasUniqueKey: ["score"]))
      try #expect(!db.table("player", hasUniqueKey: ["bonus"]))
      try #expect(!db.table("player", hasUniqueKey: ["teamID"]))
      // The columns of a key and further columns identify a row, too.
      try #expect(db.table("player", hasUniqueKey: ["score", "email"]))
      try #expect(db.table("player", hasUniqueKey: ["id", "name"]))
    }
  }

  @Test func `a database that is not attached is named in the error`() throws {
    try withParents { db in
      let message = "no such schema: elsewhere"
      let lookUps: [() throws -> Void] = [
        { _ = try db.columns(in: "users", in: "elsewhere") },
        { _ = try db.primaryKey("users", in: "elsewhere") },
        { _ = try db.indexes(on: "users", in: "elsewhere") },
        { _ = try db.foreignKeys(on: "users", in: "elsewhere") },
        { _ = try db.tableExists("users", in: "elsewhere") },
        { _ = try db.viewExists("users", in: "elsewhere") },
        { _ = try db.indexExists("users", in: "elsewhere") },
        { _ = try db.triggerExists("users", in: "elsewhere") },
        { _ = try db.schemaObjects(in: "elsewhere") },
        { _ = try db.foreignKeyViolations(in: "users", in: "elsewhere") },
        { _ = try db.foreignKeyViolations(in: nil, in: "elsewhere") },
        { try db.checkForeignKeys(in: "users", in: "elsewhere") },
      ]
      for lookUp in lookUps { expectDatabaseError(.SQLITE_ERROR, message, lookUp) }
      try #expect(db.tableExists("users", in: "MAIN"))
    }
  }

  @Test func `the schema version changes with the schema`() throws {
    try withParents { db in
      let version: Int32 = try db.schemaVersion()
      try db.execute(sql: "INSERT INTO team (name) VALUES ('Reds')")
      try #expect(db.schemaVersion() == version)
      try db.execute(sql: "CREATE TABLE t (a)")
      try #expect(db.schemaVersion() == version + 1)
    }
  }

  @Test func `tables of attached databases are found`() throws {
    let directory = TemporaryDirectory()
    try withParents { db in
      try db.attach(directory.file(), as: "other")
      try db.execute(
        sql:
          "CREATE TABLE other.users (a, b UNIQUE); CREATE TABLE other.own (x REFERENCES users(a))"
      )
      try #expect(db.columns(in: "users").count == 3)
      try #expect(db.columns(in: "users", in: "other").map(\.name) == ["a", "b"])
      try #expect(db.columns(in: "own").map(\.name) == ["x"])
      try #expect(db.tableExists("own") && !db.tableExists("own", in: "main"))
      try #expect(db.indexes(on: "users", in: "other").map(\.columns) == [["b"]])
      try #expect(db.foreignKeys(on: "own").map(\.destinationColumns) == [["a"]])
      expectDatabaseError(.SQLITE_ERROR, "no such table: other.team") {
        _ = try db.columns(in: "team", in: "other")
      }
      try db.execute(sql: "DROP TABLE other.own")
      try #expect(!db.tableExists("own"))
    }
  }

  @Test(arguments: [
    ("a INTEGER PRIMARY KEY, b", ["rowid", "_ROWID_", "oid", "a"]),
    ("a, b, PRIMARY KEY (a, b)", ["rowid", "oid"]),
    ("a, b", ["rowid"]),
    ("rowid, b", ["_rowid_"]),
  ])
  func `the row id is a unique key under each name that no column has`(
    columns: String,
    keys: [String]
  ) throws {
    try withDatabase { db in
      try db.execute(sql: "CREATE TABLE t (\(columns))")
      for key in keys { #expect(try db.table("t", hasUniqueKey: [key])) }
      #expect(try !db.table("t", hasUniqueKey: ["b"]))
      #expect(try db.table("t", hasUniqueKey: ["rowid"]) != columns.hasPrefix("rowid"))
      try db.execute(sql: "CREATE TABLE u (a PRIMARY KEY) WITHOUT ROWID; CREATE VIEW v AS SELECT 1")
      #expect(try !db.table("u", hasUniqueKey: ["rowid"]))
      #expect(try !db.table("v", hasUniqueKey: ["rowid"]))
    }
  }
}
