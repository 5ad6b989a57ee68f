import Storage
import Testing

@Suite struct TableMutationsTests {
  @Test func `DML-01, DML-03…07, A-053: rows are inserted from assignments and from queries`()
    throws
  {
    try withPlayers { db in
      let players = Table("player")
      try expectSQL(db, #"INSERT INTO "player" ("name", "score") VALUES ('Zoe', 7)"#) {
        let id = try Player.insert(db) { [$0.name.set(to: "Zoe"), $0.score.set(to: 7)] }
        #expect(id == 4)
      }
      try expectSQL(
        db,
        #"INSERT OR REPLACE INTO "player" ("id", "name") VALUES (4, 'Zed')"#
      ) {
        _ = try players.insert(
          db,
          onConflict: .replace,
          [Column("id").set(to: 4), Column("name").set(to: "Zed")]
        )
      }
      try expectSQL(db, #"INSERT INTO "note" DEFAULT VALUES"#) {
        _ = try Table("note").insert(db)
      }
      try expectSQL(
        db,
        #"INSERT INTO "note" ("text") SELECT "name" FROM "player" WHERE "id" < 3"#
      ) {
        let count = try Table("note").insert(
          db,
          columns: [Column("text")],
          from: Player.filter { $0.id < 3 }.select(\.name)
        )
        #expect(count == 2)
      }
    }
  }

  @Test func `DML-32: a violated constraint is an error with its SQL`() throws {
    try withPlayers { db in
      let error = #expect(throws: DatabaseError.self) {
        try Player.insert(db) { [$0.name.set(to: "x"), $0.email.set(to: "a@x.com")] }
      }
      #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE)
      #expect(error?.sql == #"INSERT INTO "player" ("name", "email") VALUES (?, ?)"#)
    }
  }
}
