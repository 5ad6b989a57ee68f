import Storage
import Testing

@Suite struct IntrospectionTests {
  @Test("CRQ-17: the columns of a table")
  func columns() throws {
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

  @Test func `Generated columns are columns`() throws {
    try withLeague { db in
      try db.execute(sql: "CREATE TABLE g (a DEFAULT 5, b AS (a + 1))")
      let columns = try db.columns(in: "g")
      #expect(columns.map(\.name) == ["a", "b"])
      #expect(columns.map(\.isGenerated) == [false, true])
      #expect(columns[0].defaultValueSQL == "5")
    }
  }

  @Test func `Primary keys are told apart`() throws {
    try withLeague { db in
      let player = try db.primaryKey("player")
      #expect(player.columns == ["id"])
      #expect(player.rowIDColumn == "id")
      #expect(player.isRowID && player.tableHasRowID)
      let country = try db.primaryKey("country")
      #expect(country.columns == ["isoCode"])
      #expect(country.rowIDColumn == nil)
      #expect(!country.isRowID && !country.tableHasRowID)
      let citizenship = try db.primaryKey("citizenship")
      #expect(citizenship.columns == ["playerID", "countryCode"])
      #expect(citizenship.tableHasRowID)
      let note = try db.primaryKey("note")
      #expect(note.columns == ["rowid"])
      #expect(note.rowIDColumn == nil)
      #expect(note.isRowID)
    }
  }

  @Test func `Unique keys are indexes without conditions and expressions`() throws {
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

  @Test func `A changed schema is looked up again`() throws {
    try withLeague { db in
      try #expect(db.columns(in: "note").count == 1)
      try db.execute(sql: "ALTER TABLE note ADD COLUMN size")
      try #expect(db.columns(in: "note").count == 2)
      try db.execute(sql: "CREATE TEMPORARY TABLE note (a, b, c)")
      try #expect(db.columns(in: "note").count == 3)
      try db.execute(sql: "DROP TABLE temp.note")
      try #expect(db.columns(in: "note").count == 2)
    }
  }
}
