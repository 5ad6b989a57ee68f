import Storage
import Testing

@testable import StorageTestSupport

private struct Partial: Codable, PersistableRecord {
  static let databaseTableName = "player"
  var id: Int64?
  var name: String
  enum Columns { static let name = Column("name"), score = Column("score") }
}

@Suite struct RecordFetchingTests {
  @Test func `a constant record is inserted, saved and upserted with RETURNING`() throws {
    try withLeague { db throws in
      let player = Player(id: 1, teamID: nil, name: "Arthur", email: nil, score: 100)
      #expect(try player.insertAndFetch(db) == player)
      #expect(try player.saveAndFetch(db) == player)
      #expect(try player.upsertAndFetch(db) == player)
      let partial = Partial(id: 1, name: "A")
      #expect(try partial.saveAndFetch(db, as: Player.self).name == "A")
      #expect(try partial.updateAndFetch(db, as: Player.self).score == 100)
      #expect(try partial.upsertAndFetch(db, as: Player.self).score == 100)
      let added = Partial(name: "B")
      #expect(try added.insertAndFetch(db, as: Player.self).id == 2)
      let id = try added.upsertAndFetch(db, selection: [Column("id")]) { try Int.fetchOne($0) }
      #expect(id == 3)
    }
  }

  @Test func `an ignored row is a record that was not found`() throws {
    try withPlayers { db throws in
      let error = RecordError.recordNotFound(databaseTableName: "player", key: ["id": .null])
      try db.execute(sql: "CREATE UNIQUE INDEX name ON player(name)")
      #expect(throws: error) {
        try Partial(name: "Arthur").insertAndFetch(db, onConflict: .ignore, as: Player.self)
      }
      #expect(throws: error) {
        try Partial(name: "Arthur").saveAndFetch(db, onConflict: .ignore, as: Player.self)
      }
    }
  }

  @Test func `a closure fetches a selection of the stored row`() throws {
    try withLeague { db throws in
      let partial = Partial(id: 1, name: "Zoe")
      try expectSQL(
        db,
        #"INSERT INTO "player" ("id", "name") VALUES (1, 'Zoe') RETURNING "score""#
      ) {
        let score = try partial.insertAndFetch(db, selection: [Column("score")]) {
          try Int.fetchOne($0)
        }
        #expect(score == nil)
      }
      try expectSQL(db, #"UPDATE "player" SET "name" = 'Zoe' WHERE "id" = 1 RETURNING "name""#) {
        let name = try partial.saveAndFetch(db) {
          try String.fetchOne($0)
        } select: {
          [$0.name]
        }
        #expect(name == "Zoe")
        _ = try partial.updateAndFetch(db) {
          try String.fetchOne($0)
        } select: {
          [$0.name]
        }
        _ = try partial.updateAndFetch(
          db,
          columns: [Partial.Columns.name],
          selection: [Partial.Columns.name]
        ) { try String.fetchOne($0) }
      }
      let id = try partial.upsertAndFetch(db, selection: [Column("id")]) { try Int64.fetchOne($0) }
      #expect(id == 1)
    }
  }

  @Test func `changes are updated and fetched, if there are any`() throws {
    try withPlayers { db throws in
      var player = Player.arthur
      try expectSQL(db, #"UPDATE "player" SET "name" = 'Art' WHERE "id" = 1 RETURNING *"#) {
        let updated = try player.updateChangesAndFetch(db) { $0.name = "Art" }
        #expect(updated == player)
      }
      #expect(try player.updateChangesAndFetch(db) { $0.name = "Art" } == nil)
      let score = try player.updateChangesAndFetch(db) {
        try Int.fetchOne($0)
      } select: {
        [$0.score]
      } modify: {
        $0.score = 7
      }
      #expect(score == 7)
    }
  }

  @Test func `an upsert overwrites the columns that the call does not assign`() throws {
    try withPlayers { db throws in
      let new = Player(id: 9, teamID: nil, name: "New", email: "a@x.com", score: 3)
      try expectSQL(
        db,
        """
        INSERT INTO "player" ("id", "teamID", "name", "email", "score") \
        VALUES (9, NULL, 'New', 'a@x.com', 3) ON CONFLICT("email") DO UPDATE \
        SET "score" = "score" + "excluded"."score", "name" = "excluded"."name" \
        RETURNING *, "rowid"
        """
      ) {
        let stored = try new.upsertAndFetch(db, onConflict: ["email"]) { excluded in
          [Column("score") += excluded.score, TypedColumn<Int?>("teamID").noOverwrite]
        }
        #expect(stored == Player(id: 1, teamID: 1, name: "New", email: "a@x.com", score: 103))
      }
      let stored = try new.upsertAndFetch(
        db,
        onConflict: ["email"],
        updating: .noColumnUnlessSpecified
      ) { _ in [Column("score").set(to: 0)] }
      #expect(stored == Player(id: 1, teamID: 1, name: "New", email: "a@x.com", score: 0))
    }
  }
}
