import Storage
import Testing

@testable import StorageTestSupport

private struct Note: Codable, Equatable, FetchableRecord, PersistableRecord { var text: String }

@Suite struct FetchableRecordRequestsTests {
  @Test func `KEY-01…07, A-047, A-070: records are fetched by key`() throws {
    try withPlayers { db throws in
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

  @Test func `a missing record is an error that names the table and the key`() throws {
    try withPlayers { db throws in
      let missing = "no row in player with id = 9"
      expectError(missing) { _ = try Player.find(db, key: 9) }
      expectError(missing) { _ = try Player.find(db, id: 9) }
      expectError(
        "no row in player with email = 'x'"
      ) {
        _ = try Player.find(db, key: ["email": "x"])
      }
    }
  }

  @Test func `cursors and sets are fetched by key`() throws {
    try withPlayers { db throws in
      try Citizenship(playerID: 1, countryCode: "FR").insert(db)
      let key: [String: any DatabaseValueConvertible] = ["playerID": 1, "countryCode": "FR"]
      let citizenships = try Citizenship.fetchSet(db, keys: [key, key])
      let players = try Player.fetchCursor(db, keys: [3, 1])
      #expect(citizenships == [Citizenship(playerID: 1, countryCode: "FR")])
      #expect(try players.next() == .arthur)
      #expect(try players.next() == .craig)
      #expect(try players.next() == nil)
      #expect(try Player.fetchCursor(db, ids: []).next() == nil)
      #expect(try Player.fetchSet(db, keys: [Int64?.none, 2]) == [.barbara])
      #expect(throws: DatabaseError.self) { try Citizenship.fetchSet(db, keys: [1]) }
    }
  }

  @Test func `the keys of an optional id can be optional or not`() throws {
    try withPlayers { db throws in
      let ids: [Int64] = [1, 3]
      #expect(try Guest.fetchAll(db, ids: ids).map(\.name) == ["Arthur", "Craig"])
      #expect(try Guest.fetchAll(db, ids: [1, nil, 3]).map(\.name) == ["Arthur", "Craig"])
      #expect(try Guest.filter(ids: Set(ids)).fetchCount(db) == 2)
      #expect(try Guest.all().filter(ids: 2...3).fetchCount(db) == 2)
      #expect(try Guest.fetchSet(db, ids: ids).count == 2)
      #expect(try Guest.fetchSet(db, ids: ids.map(Optional.some)).count == 2)
      #expect(try Array(Guest.fetchCursor(db, ids: ids)).map(\.id) == [1, 3])
      #expect(try Guest.deleteAll(db, ids: ids) == 2)
    }
  }
}

/// A player whose id is not known before it is inserted.
private struct Guest: Codable, Hashable, Identifiable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "player"
  var id: Int64?
  var name: String
}
