import Foundation
import Storage
import Testing

@testable import StorageTestSupport

/// The code of Docs/Storage.docc/RecordTypes.md.
@Suite struct RecordTypesGuideTests {
  struct Player: Codable, Identifiable, FetchableRecord, MutablePersistableRecord {
    var id: Int64?
    var name: String
    var score: Int

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

  struct Ticket: Codable, FetchableRecord, PersistableRecord {
    enum State: String, Codable, DatabaseValueConvertible { case open, done }
    var id: Int64
    var title: String
    var state: State
    var address: [String: String]
    var tags = ["urgent"]
  }

  struct Mug: Codable, FetchableRecord, PersistableRecord {
    var id: Int64
    var size: Double { didSet { print("resized") } }
    enum Columns: RecordColumns {
      typealias Record = Mug
      static let size = TypedColumn<Double>("size")
      static let stock = Column("stock")
    }
  }

  struct TicketTitle: Decodable, FetchableRecord, TableRecord {
    static let databaseTableName = "ticket"
    static var databaseSelection: [any SQLSelectable] { [Column("id"), Column("title")] }
    var id: Int64
    var title: String
  }

  struct Note: MutableDatabaseRecord {
    var id: Int64?
    var text: String
    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
  }

  struct Spot: FetchableRecord, PersistableRecord {
    var name: String
    var place: (latitude: Double, longitude: Double)

    enum Columns {
      static let name = Column("name")
    }

    init(row: Row) throws {
      name = row["name"]
      place = (row["latitude"], row["longitude"])
    }

    func encode(to container: inout PersistenceContainer) throws {
      container["name"] = name
      container["latitude"] = place.latitude
      container["longitude"] = place.longitude
    }
  }

  private func withTables(_ body: (Database) throws -> Void) throws {
    try withDatabase { db in
      try db.execute(
        sql: """
          CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT NOT NULL, score INTEGER DEFAULT 0);
          CREATE TABLE event (id INTEGER PRIMARY KEY, started_at, tags);
          CREATE TABLE account (id INTEGER PRIMARY KEY, name);
          CREATE TABLE ticket (id INTEGER PRIMARY KEY, title TEXT, state TEXT, address TEXT,
            tags TEXT);
          CREATE TABLE mug (id INTEGER PRIMARY KEY, size REAL, stock INTEGER);
          CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT);
          CREATE TABLE spot (name TEXT, latitude REAL, longitude REAL)
          """
      )
      try body(db)
    }
  }

  @Test func `a record gets its id from the database`() throws {
    try withTables { db in
      let note = try Note(text: "Call back").inserted(db)
      #expect(note.id == 1)
      #expect(try Note.fetchAll(db) == [note])
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

  @Test func `the row that an insertion returns is that before the triggers`() throws {
    try withTables { db in
      try db.execute(
        sql: "CREATE TRIGGER bonus AFTER INSERT ON player BEGIN UPDATE player SET score = 9; END"
      )
      var player = Player(id: 1, name: "Zoe", score: 0)
      let zoe = try player.insertAndFetch(db, as: Player.self)
      #expect(zoe.score == 0)
      try expectSQL(db, #"SELECT * FROM "player" WHERE "id" = 1"#) {
        let stored = try Player.find(db, key: zoe.id)
        #expect(stored.score == 9)
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

  @Test func `an enum is compared, JSON is looked into, and a type selects its columns`() throws {
    try withTables { db in
      try Ticket(id: 1, title: "Roof", state: .open, address: ["city": "Arles"]).insert(db)
      try expectSQL(db, #"SELECT * FROM "ticket" WHERE "state" = 'open'"#) {
        let open = try Ticket.filter { $0.state == .open }.fetchAll(db)
        #expect(open.map(\.title) == ["Roof"])
      }
      let inArles = Ticket.filter { $0.address["city"] == "Arles" && $0.tags[0] == "urgent" }
      try expectSQL(
        db,
        #"SELECT * FROM "ticket" WHERE (("address" ->> 'city') = 'Arles') AND (("tags" ->> 0) = 'urgent')"#
      ) {
        let found = try inArles.fetchAll(db)
        #expect(found.count == 1)
      }
      try expectSQL(db, #"SELECT "id", "title" FROM "ticket""#) {
        let titles = try TicketTitle.fetchAll(db)
        #expect(titles.map(\.title) == ["Roof"])
      }
    }
  }

  @Test func `columns are declared beside the properties, and before them`() throws {
    try withTables { db in
      try Mug(id: 1, size: 0.5).insert(db)
      let large = Mug.filter { $0.size > 0.3 && $0.stock > 0 }.order(\.id)
      try expectSQL(
        db,
        #"SELECT * FROM "mug" WHERE ("size" > 0.3) AND ("stock" > 0) ORDER BY "id""#
      ) {
        let found = try large.fetchAll(db)
        #expect(found.isEmpty)
      }
    }
  }

  @Test func `a record reads and writes its columns itself`() throws {
    try withTables { db in
      try db.execute(sql: "INSERT INTO spot VALUES ('Roof', 43.5, 4.25)")
      let spot = try #require(try Spot.fetchOne(db))
      try spot.insert(db)
      let spots = try Spot.fetchAll(db)
      #expect(spots.map(\.place.longitude) == [4.25, 4.25])
    }
  }

  @Test func `a callback refuses an invalid record`() throws {
    try withTables { db in
      #expect(throws: Account.NoName.self) { try Account(id: 1, name: "").insert(db) }
      try Account(id: 1, name: "x").insert(db)
    }
  }
}
