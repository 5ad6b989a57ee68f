import Storage
import Testing

private struct Note: Codable, Equatable, FetchableRecord, PersistableRecord { var text: String }

@Suite struct KeyTests {
  @Test("KEY-01…07: keys in SQL")
  func sql() throws {
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

  @Test("KEY-01…07, A-047, A-070: records by key")
  func fetching() throws {
    try withPlayers { db in
      try Country(isoCode: "FR", name: "France").insert(db)
      try Citizenship(playerID: 1, countryCode: "FR").insert(db)
      try Note(text: "x").insert(db)
      #expect(try Player.fetchOne(db, key: 2) == .barbara)
      #expect(try Player.fetchOne(db, id: 2) == .barbara)
      #expect(try Player.fetchOne(db, key: Int64?.none) == nil)
      #expect(try Player.fetchAll(db, keys: [1, 3]).count == 2)
      #expect(try Player.fetchAll(db, ids: [1, 3]).count == 2)
      #expect(try Player.find(db, id: 3) == .craig)
      #expect(try Player.fetchOne(db, key: ["email": "c@x.com"]) == .craig)
      #expect(try Country.fetchOne(db, key: "FR")?.name == "France")
      #expect(try Country.fetchAll(db, keys: ["FR", "US"]).count == 1)
      #expect(try Note.fetchOne(db, key: 1)?.text == "x")
      let key: [String: any DatabaseValueConvertible] = ["playerID": 1, "countryCode": "FR"]
      #expect(try Citizenship.fetchOne(db, key: key) != nil)
      #expect(try Citizenship.fetchAll(db, keys: [key]).count == 1)
      #expect(try Player.selectID().fetchSet(db) == [1, 2, 3])
    }
  }

  @Test func `A missing record is an error that names table, key and SQL`() throws {
    try withPlayers { db in
      let missing = #"no row in player with id = 9 - for "SELECT * FROM "player" WHERE "id" = ?""#
      expectError(missing) { _ = try Player.find(db, key: 9) }
      expectError(missing) { _ = try Player.find(db, id: 9) }
      expectError(
        #"no row in player with email = 'x' - for "SELECT * FROM "player" WHERE "email" = ?""#
      ) {
        _ = try Player.find(db, key: ["email": "x"])
      }
    }
  }

  @Test func `A key that the table does not have is an error`() throws {
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
