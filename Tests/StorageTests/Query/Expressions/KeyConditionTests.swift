import Foundation
import Storage
import Testing

@testable import StorageTestSupport

private struct Note: Codable, Equatable, FetchableRecord, PersistableRecord { var text: String }

/// Stores its values otherwise than the types of the values do.
private struct Device: Codable, Equatable, Identifiable, FetchableRecord, PersistableRecord {
  var id = UUID()
  var token = Data("lamp".utf8)
  var day = Date(timeIntervalSince1970: 0)

  static func databaseUUIDEncodingStrategy(for column: String) -> DatabaseUUIDEncodingStrategy {
    .lowercaseString
  }

  static func databaseDataEncodingStrategy(for column: String) -> DatabaseDataEncodingStrategy {
    .text
  }

  static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
    column == "day" ? .secondsSince1970 : .deferredToDate
  }

  static func create(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE device (id TEXT PRIMARY KEY, token TEXT UNIQUE, day INTEGER, UNIQUE (day))
        """
    )
  }
}

@Suite struct KeyConditionTests {
  @Test func `a record type says how the values of its keys are stored`() throws {
    try DatabaseQueue().write { db in
      try Device.create(db)
      let device = Device()
      try device.insert(db)
      #expect(try Device.find(db, id: device.id) == device)
      #expect(try Device.fetchOne(db, key: device.id) == device)
      #expect(try Device.fetchOne(db, key: UUID?.some(device.id)) == device)
      #expect(try Device.fetchAll(db, ids: [device.id, UUID()]) == [device])
      #expect(try Device.exists(db, id: device.id))
      #expect(try Device.fetchOne(db, key: ["token": device.token]) == device)
      #expect(try Device.fetchOne(db, key: ["DAY": device.day]) == device)
      #expect(try Table<Device>("device").exists(db, id: device.id))
      #expect(try Device.filter(id: device.id).updateAll(db, Column("day").set(to: 7)) == 1)
      #expect(try Device.deleteOne(db, id: device.id))
    }
  }

  @Test func `a missing key is told as it is stored`() throws {
    try DatabaseQueue().write { db in
      try Device.create(db)
      let id = UUID()
      let error = #expect(throws: RecordError.self) { try Device.find(db, id: id) }
      let key = ["id": id.uuidString.lowercased().databaseValue]
      #expect(error == .recordNotFound(databaseTableName: "device", key: key))
    }
  }

  @Test func `other rows of the same table have the values of the types themselves`() throws {
    try DatabaseQueue().write { db in
      try Device.create(db)
      let id = UUID()
      try db.execute(sql: "INSERT INTO device (id) VALUES (?)", arguments: [id])
      #expect(try Table("device").filter(key: id).fetchCount(db) == 1)
      #expect(Device.filter(id: id) == Device.filter(id: id))
    }
  }

  @Test func `KEY-01…07: a key is written as a condition on its columns`() throws {
    try expectSQL(request: Player.filter(key: 1), #"SELECT * FROM "player" WHERE "id" = 1"#)
    try expectSQL(request: Player.filter(id: 1), #"SELECT * FROM "player" WHERE "id" = 1"#)
    try expectSQL(
      request: Player.filter(keys: [1, 2]),
      #"SELECT * FROM "player" WHERE "id" IN (1, 2)"#
    )
    try expectSQL(
      request: Player.filter(ids: [1, 2]),
      #"SELECT * FROM "player" WHERE "id" IN (1, 2)"#
    )
    try expectSQL(
      request: Country.filter(key: "FR"),
      #"SELECT * FROM "country" WHERE "isoCode" = 'FR'"#
    )
    try expectSQL(
      request: Country.filter(keys: ["FR", "US"]),
      #"SELECT * FROM "country" WHERE "isoCode" IN ('FR', 'US')"#
    )
    try expectSQL(request: Note.filter(key: 1), #"SELECT * FROM "note" WHERE "rowid" = 1"#)
    try expectSQL(
      request: Citizenship.filter(key: ["countryCode": "FR", "playerID": 1]),
      #"SELECT * FROM "citizenship" WHERE ("playerID" = 1) AND ("countryCode" = 'FR')"#
    )
    try expectSQL(
      request: Player.filter(key: ["EMAIL": "a@x.com"]),
      #"SELECT * FROM "player" WHERE "email" = 'a@x.com'"#
    )
    try expectSQL(
      request: Player.filter(keys: [["email": "a"], ["email": "b"]]),
      #"SELECT * FROM "player" WHERE ("email" = 'a') OR ("email" = 'b')"#
    )
    try expectSQL(
      request: Player.filter(key: Int?.none),
      #"SELECT * FROM "player" WHERE "id" IN ()"#
    )
    try expectSQL(request: Player.selectID(), #"SELECT "id" FROM "player""#)
    try expectSQL(
      request: Citizenship.all().selectPrimaryKey(),
      #"SELECT "playerID", "countryCode" FROM "citizenship""#
    )
  }

  @Test func `a key that the table does not have is an error`() throws {
    try withLeague { db in
      expectDatabaseError(
        .SQLITE_MISUSE,
        """
        the primary key of citizenship has several columns: give a key with the values of \
        playerID, countryCode
        """
      ) {
        _ = try Citizenship.fetchOne(db, key: 1)
      }
      expectDatabaseError(
        .SQLITE_MISUSE,
        "the table player has no primary key and no unique index on name"
      ) {
        _ = try Player.fetchOne(db, key: ["name": "Arthur"])
      }
      expectDatabaseError(.SQLITE_ERROR, "no such table: nothing") {
        _ = try Table("nothing").filter(key: 1).fetchOne(db)
      }
    }
  }
}
