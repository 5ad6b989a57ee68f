import Storage
import Testing

private struct Note: Codable, Equatable, FetchableRecord, PersistableRecord { var text: String }

@Suite struct KeyConditionTests {
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
