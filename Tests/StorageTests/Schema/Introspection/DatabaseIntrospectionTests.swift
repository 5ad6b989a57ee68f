import Storage
import Testing

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
}
