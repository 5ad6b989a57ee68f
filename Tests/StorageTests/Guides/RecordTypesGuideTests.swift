import Foundation
import Storage
import Testing

/// The code of Docs/Storage.docc/RecordTypes.md.
@Suite struct RecordTypesGuideTests {
  struct Player: Codable, Identifiable, FetchableRecord, MutablePersistableRecord {
    var id: Int64?
    var name: String
    var score: Int

    enum Columns {
      static let id = Column(CodingKeys.id)
      static let name = Column(CodingKeys.name)
      static let score = Column(CodingKeys.score)
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
  }

  struct Account: Codable, FetchableRecord, PersistableRecord {
    struct NoName: Error {}
    var id: Int64
    var name: String

    func willSave(_ db: Database) throws {
      if name.isEmpty { throw NoName() }
    }
  }

  struct Event: Codable, FetchableRecord, PersistableRecord {
    static let databaseColumnEncodingStrategy = DatabaseColumnEncodingStrategy.convertToSnakeCase
    static let databaseColumnDecodingStrategy = DatabaseColumnDecodingStrategy.convertFromSnakeCase
    static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
      .iso8601
    }
    var id: Int64
    var startedAt: Date
    var tags: [String]
  }

  private func withTables(_ body: (Database) throws -> Void) throws {
    try withDatabase { db in
      try db.execute(
        sql: """
          CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT NOT NULL, score INTEGER DEFAULT 0);
          CREATE TABLE event (id INTEGER PRIMARY KEY, started_at, tags);
          CREATE TABLE account (id INTEGER PRIMARY KEY, name)
          """
      )
      try body(db)
    }
  }

  @Test func `records are inserted, updated and deleted`() throws {
    try withTables { db in
      var player = Player(id: nil, name: "Arthur", score: 100)
      try expectSQL(
        db,
        #"INSERT INTO "player" ("id", "name", "score") VALUES (NULL, 'Arthur', 100)"#
      ) {
        try player.insert(db)
      }
      player.score = 200
      try expectSQL(db, #"UPDATE "player" SET "name" = 'Arthur', "score" = 200 WHERE "id" = 1"#) {
        try player.update(db)
      }
      try expectSQL(db, #"UPDATE "player" SET "name" = 'Art' WHERE "id" = 1"#) {
        try player.updateChanges(db) { $0.name = "Art" }
      }
      try expectSQL(
        db,
        #"INSERT OR IGNORE INTO "player" ("id", "name", "score") VALUES (1, 'Art', 200)"#
      ) {
        try player.insert(db, onConflict: .ignore)
      }
      try expectSQL(db, #"DELETE FROM "player" WHERE "id" = 1"#) {
        try player.delete(db)
      }
    }
  }

  @Test func `inserting returns the row with its database defaults`() throws {
    try withTables { db in
      struct NewPlayer: Codable, PersistableRecord {
        static let databaseTableName = "player"
        var name: String
      }
      try expectSQL(db, #"INSERT INTO "player" ("name") VALUES ('Zoe') RETURNING *"#) {
        let zoe = try NewPlayer(name: "Zoe").insertAndFetch(db, as: Player.self)
        #expect(zoe.score == 0)
      }
    }
  }

  @Test func `a record customizes column names and date formats`() throws {
    try withTables { db in
      try expectSQL(
        db,
        #"INSERT INTO "event" ("id", "started_at", "tags") VALUES (1, '1970-01-01T00:00:00Z', '["a"]')"#
      ) {
        try Event(id: 1, startedAt: Date(timeIntervalSince1970: 0), tags: ["a"]).insert(db)
      }
      let event = try #require(try Event.fetchOne(db))
      #expect(event.tags == ["a"])
    }
  }

  @Test func `a callback refuses an invalid record`() throws {
    try withTables { db in
      #expect(throws: Account.NoName.self) { try Account(id: 1, name: "").insert(db) }
      try Account(id: 1, name: "x").insert(db)
    }
  }
}
