import Foundation
import Storage
import Testing

@testable import StorageTestSupport

private struct Place: Codable, Equatable, FetchableRecord, MutablePersistableRecord {
  static let databaseTableName = "team"
  var id: Int64?
  var name: String
  var color: String?

  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

@Suite struct MutablePersistableRecordTests {
  @Test func `REC-10…12, DML-02, DML-05, DML-06, A-043: an inserted record receives its id`() throws
  {
    try withLeague { db in
      var place = Place(id: nil, name: "Rome")
      try expectSQL(
        db,
        #"INSERT INTO "team" ("id", "name", "color") VALUES (NULL, 'Rome', NULL)"#
      ) {
        try place.insert(db)
      }
      #expect(place.id == 1)
      let oslo = try Place(id: nil, name: "Oslo").inserted(db)
      #expect(oslo.id == 2)
      let all = try Place.fetchAll(db)
      #expect(all == [place, oslo])
    }
  }

  @Test func `DML-03, DML-04, A-049: conflicts are resolved by the policy of the type or the call`()
    throws
  {
    struct Replacing: Codable, PersistableRecord {
      static let databaseTableName = "team"
      static let persistenceConflictPolicy = PersistenceConflictPolicy(
        insert: .replace,
        update: .ignore
      )
      var id: Int64
      var name: String
    }
    try withPlayers { db in
      try expectSQL(db, #"INSERT OR REPLACE INTO "team" ("id", "name") VALUES (9, 'A')"#) {
        try Replacing(id: 9, name: "A").insert(db)
      }
      try Replacing(id: 9, name: "B").insert(db)
      try expectSQL(db, #"UPDATE OR IGNORE "team" SET "name" = 'C' WHERE "id" = 9"#) {
        try Replacing(id: 9, name: "C").update(db)
      }
      var place = Place(id: 1, name: "x")
      try expectSQL(
        db,
        #"INSERT OR IGNORE INTO "team" ("id", "name", "color") VALUES (1, 'x', NULL)"#
      ) {
        try place.insert(db, onConflict: .ignore)
      }
      let team = try Team.find(db, id: 1)
      #expect(team.name == "Reds")
    }
  }

  @Test func `COD-03…07: columns can be added, and many rows updated from one record`() throws {
    struct Name: Codable, PersistableRecord {
      static let databaseTableName = "player"
      var name: String
    }
    try withPlayers { db in
      try expectSQL(db, #"INSERT INTO "player" ("name", "score") VALUES ('Zoe', 7)"#) {
        try Name(name: "Zoe").insert(db, and: [Column("score").set(to: 7)])
      }
      try expectSQL(db, #"UPDATE "player" SET "name" = 'X', "score" = 1 WHERE "id" = 1"#) {
        let count = try Player.filter { $0.id == 1 }
          .updateAll(db, from: Name(name: "X"), and: [Column("score").set(to: 1)])
        #expect(count == 1)
      }
      let count = try Player.all().updateAll(db, from: Name(name: "Y"))
      #expect(count == 4)
    }
  }

  @Test func `A-043, A-048: all columns, some columns or changed columns are updated`() throws {
    try withPlayers { db in
      var player = Player.arthur
      player.name = "Art"
      try expectSQL(db, #"UPDATE "player" SET "name" = 'Art' WHERE "id" = 1"#) {
        try player.update(db, columns: ["name"])
      }
      try expectSQL(db, #"UPDATE "player" SET "name" = 'Art' WHERE "id" = 1"#) {
        try player.update(db, columns: [Player.Columns.name])
      }
      try expectSQL(
        db,
        """
        UPDATE "player" SET "teamID" = 1, "name" = 'Art', "email" = 'a@x.com', "score" = 100 \
        WHERE "id" = 1
        """
      ) {
        try player.update(db)
      }
      let isSame = try player.updateChanges(db, from: player)
      #expect(!isSame)
      let isChanged = try player.updateChanges(db, from: .arthur)
      #expect(isChanged)
      try expectSQL(db, #"UPDATE "player" SET "score" = 5 WHERE "id" = 1"#) {
        try player.updateChanges(db) { $0.score = 5 }
      }
      let changes = try player.databaseChanges(from: .arthur)
      #expect(changes == ["name": "Arthur".databaseValue, "score": 100.databaseValue])
      #expect(player.databaseEquals(player))
      #expect(!player.databaseEquals(.arthur))
    }
  }

  @Test func `A-043: save updates or inserts`() throws {
    try withLeague { db in
      var place = Place(id: nil, name: "Rome")
      try place.save(db)
      #expect(place.id == 1)
      place.name = "Roma"
      try place.save(db)
      let saved = try Place(id: 7, name: "Oslo").saved(db)
      #expect(saved.id == 7)
      try Team(id: 7, name: "Bergen", color: nil).save(db)
      let names = try Place.order(Column("id")).select(Column("name"), as: String.self).fetchAll(db)
      #expect(names == ["Roma", "Bergen"])
      let exists = try place.exists(db)
      #expect(exists)
    }
  }

  @Test func `A-044, DML-31: upsert inserts a row or updates the conflicting row`() throws {
    try withPlayers { db in
      try expectSQL(
        db,
        """
        INSERT INTO "team" ("id", "name", "color") VALUES (1, 'Rot', NULL) ON CONFLICT \
        DO UPDATE SET "name" = "excluded"."name", "color" = "excluded"."color" RETURNING "rowid"
        """
      ) {
        try Team(id: 1, name: "Rot", color: nil).upsert(db)
      }
      let team = try Team.find(db, id: 1)
      #expect(team.name == "Rot")
      let player = Player(id: 77, teamID: nil, name: "New", email: "a@x.com", score: 3)
      let stored: Player = try player.upsertAndFetch(db, onConflict: ["email"]) { excluded in
        [Column("score").set(to: Column("score") + excluded.score)]
      }
      #expect(stored.id == 1)
      #expect(stored.score == 103)
      #expect(stored.name == "New")
      var place = Place(id: nil, name: "Third")
      try place.upsert(db)
      #expect(place.id == 3)
    }
  }

  @Test func `an upsert that fetches tells the record the id of the row that it updates`() throws {
    struct User: Codable, FetchableRecord, MutablePersistableRecord {
      static let databaseTableName = "user"
      var id: Int64?
      var email: String

      mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
    }
    try withDatabase { db in
      try db.execute(sql: "CREATE TABLE user (id INTEGER PRIMARY KEY, email TEXT UNIQUE)")
      for email in ["a", "b"] {
        var user = User(id: nil, email: email)
        try user.insert(db)
      }
      var user = User(id: nil, email: "a")
      #expect(try user.upsertAndFetch(db, as: User.self).id == 1)
      #expect(user.id == 1)
      var third = User(id: nil, email: "c")
      let columns = try third.upsertAndFetch(db, selection: [Column("email")]) { statement in
        try Row.fetchAll(statement).map { Array($0.columnNames) }
      }
      #expect(columns == [["email"]])
      #expect(third.id == 3)
    }
  }

  @Test func `A-045: insert, update and save can fetch the stored row`()
    throws
  {
    struct Partial: Codable, PersistableRecord {
      static let databaseTableName = "player"
      var name: String
    }
    try withLeague { db in
      try expectSQL(db, #"INSERT INTO "player" ("name") VALUES ('Zoe') RETURNING *"#) {
        let player = try Partial(name: "Zoe").insertAndFetch(db, as: Player.self)
        #expect(player.id == 1)
      }
      let zed = Player(id: 1, teamID: nil, name: "Zed", email: nil, score: nil)
      let updated: Player = try zed.updateAndFetch(db)
      #expect(updated == zed)
      let place = Place(id: nil, name: "Rome")
      let saved: Place? = try place.saveAndFetch(db)
      #expect(saved == Place(id: 1, name: "Rome"))
      #expect(place.id == nil)
    }
  }

  @Test func `A-046: callbacks are called in order and can prevent an operation`() throws {
    final class Log { var events: [String] = [] }
    struct Observed: PersistableRecord {
      static let databaseTableName = "team"
      var id: Int64
      let log: Log
      var name = "x"

      func encode(to container: inout PersistenceContainer) {
        container["id"] = id
        container["name"] = name
      }
      func willInsert(_ db: Database) throws { log.events.append("willInsert") }
      func aroundInsert(_ db: Database, insert: () throws -> InsertionSuccess) throws {
        log.events.append("insert {")
        _ = try insert()
        log.events.append("}")
      }
      func didInsert(_ inserted: InsertionSuccess) {
        log.events.append("didInsert \(inserted.rowID) \(inserted.rowIDColumn ?? "-")")
      }
      func willUpdate(_ db: Database, columns: Set<String>) throws {
        log.events.append("willUpdate \(columns.sorted())")
      }
      func didUpdate(_ updated: PersistenceSuccess) { log.events.append("didUpdate") }
      func willSave(_ db: Database) throws { log.events.append("willSave") }
      func aroundSave(_ db: Database, save: () throws -> PersistenceSuccess) throws {
        log.events.append("save {")
        _ = try save()
        log.events.append("}")
      }
      func didSave(_ saved: PersistenceSuccess) { log.events.append("didSave") }
      func willDelete(_ db: Database) throws {
        log.events.append("willDelete")
        if id == 13 { throw RecordError.recordNotFound(databaseTableName: "x", key: [:]) }
      }
      func didDelete(deleted: Bool) { log.events.append("didDelete \(deleted)") }
    }
    try withLeague { db in
      let log = Log()
      let record = Observed(id: 5, log: log)
      try record.insert(db)
      #expect(
        log.events == [
          "willSave", "willInsert", "save {", "insert {", "}", "}", "didInsert 5 id", "didSave",
        ]
      )
      log.events = []
      try record.update(db, columns: ["name"])
      #expect(
        log.events == [
          "willSave", "willUpdate [\"name\"]", "save {", "}", "didUpdate", "didSave",
        ]
      )
      log.events = []
      try record.delete(db)
      #expect(log.events == ["willDelete", "didDelete true"])
      #expect(throws: RecordError.self) { try Observed(id: 13, log: log).delete(db) }
    }
  }

  @Test func `REC-16: a class can be stored and receives its id`() throws {
    final class Club: PersistableRecord {
      static let databaseTableName = "team"
      var id: Int64?
      let name: String
      init(name: String) { self.name = name }
      func encode(to container: inout PersistenceContainer) {
        container[Column("id")] = id
        container[Column("name")] = name
      }
      func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
    }
    try withLeague { db in
      let club = Club(name: "Owls")
      try club.insert(db)
      #expect(club.id == 1)
      try club.update(db)
      let deleted = try club.delete(db)
      #expect(deleted)
    }
  }

  @Test func `composite and text keys are updated and deleted`() throws {
    try withLeague { db in
      var country = Country(isoCode: "FR", name: "France")
      try country.insert(db)
      country.name = "Frankreich"
      try country.update(db)
      let name = try Country.find(db, key: "FR").name
      #expect(name == "Frankreich")
      let citizenship = Citizenship(playerID: 1, countryCode: "FR")
      try citizenship.insert(db)
      try citizenship.update(db)
      try expectSQL(
        db,
        #"DELETE FROM "citizenship" WHERE ("playerID" = 1) AND ("countryCode" = 'FR')"#
      ) {
        try citizenship.delete(db)
      }
      expectError(
        "no row in citizenship with countryCode = 'FR' and playerID = 1"
      ) {
        try citizenship.update(db)
      }
    }
  }
}
