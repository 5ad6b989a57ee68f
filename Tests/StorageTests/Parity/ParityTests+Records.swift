import Foundation
import Storage
import Testing

@testable import StorageTestSupport

private enum Color: String, Codable { case red, white }

private struct Jersey: Codable, Equatable, FetchableRecord, PersistableRecord {
  var id: Int64
  var color: Color
}

/// A player whose id the database chooses.
private struct Rookie: Codable, Hashable, Identifiable, FetchableRecord, MutablePersistableRecord {
  static let databaseTableName = "player"
  var id: Int64?
  var name: String

  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

extension ParityTests {
  static let records: [ParityLine] = [
    .same(.api(4), "catch RecordError.recordNotFound(databaseTableName: let t, key: let k)") {
      try withLeague { db throws in
        do {
          _ = try Player.find(db, key: 9)
          Issue.record("There is no such player.")
        } catch RecordError.recordNotFound(databaseTableName: let table, key: let key) {
          #expect(table == "player" && key == ["id": 9.databaseValue])
        }
        let built = RecordError.recordNotFound(databaseTableName: "a", key: ["b": .null])
        #expect("\(built)" == "no row in a with b = NULL")
        let error = Player.recordNotFound(db, id: 9) as? RecordError
        let expected = Player.recordNotFound(key: ["id": 9])
        #expect(error == expected)
      }
    },
    .same(.api(5), "fetchAll(db, ids: [Int64]) where var id: Int64?") {
      try withPlayers { db throws in
        let ids: [Int64] = [1, 3]
        #expect(try Rookie.fetchAll(db, ids: ids).map(\.name) == ["Arthur", "Craig"])
        #expect(try Rookie.fetchAll(db, ids: [1, 2]).count == 2)
        #expect(try Rookie.fetchAll(db, ids: [1, nil]).count == 1)
        #expect(try Rookie.fetchAll(db, keys: ids).count == 2)
        #expect(try Rookie.fetchSet(db, ids: Set(ids)).count == 2)
        #expect(try Rookie.fetchCursor(db, ids: ids).next()?.name == "Arthur")
        #expect(try Rookie.find(db, id: ids[0]).name == "Arthur")
        #expect(try Rookie.filter(ids: ids.map { $0 + 1 }).fetchOne(db)?.name == "Barbara")
        #expect(try Rookie.all().filter(ids: ids).deleteAll(db) == 2)
        #expect(try Rookie.deleteAll(db, ids: 1...2) == 1)
      }
    },
    .same(.api(6), "insertAndFetch(db, as:) on a variable, which receives its id") {
      try withLeague { db throws in
        var rookie = Rookie(id: nil, name: "Arthur")
        let player = try rookie.insertAndFetch(db, as: Player.self)
        #expect(player.id == 1 && rookie.id == 1)
        let constant = Rookie(id: nil, name: "Barbara")
        #expect(try constant.insertAndFetch(db).id == 2)
        #expect(try constant.saveAndFetch(db).id == 3)
        #expect(try constant.inserted(db).id == 4)
      }
    },
    .same(.api(6), "insertAndFetch, saveAndFetch on constants") {
      try withLeague { db throws in
        let arthur = Player(id: 1, teamID: nil, name: "Arthur", email: nil, score: 100)
        let inserted: Player = try arthur.insertAndFetch(db)
        let saved: Player = try arthur.saveAndFetch(db)
        let upserted = try arthur.upsertAndFetch(db, as: Player.self)
        #expect(inserted == saved && saved == upserted)
      }
    },
    .same(.api(7), "deleteAndFetchIds, …Set, …Cursor, updateAndFetchSet, …Cursor") {
      try withPlayers { db throws in
        let all = Player.all()
        let updated = try all.updateAndFetchSet(db, [Column("score") += 1])
        #expect(updated.count == 3)
        let players = try all.updateAndFetchCursor(db) { [$0.score += 1] }
        #expect(try players.next()?.score == 102)
        #expect(try Array(players).count == 2)
        let ids: Set<Int64> = try Player.filter { $0.id == 1 }.deleteAndFetchIds(db)
        #expect(ids == [1])
        #expect(try Player.filter { $0.id == 2 }.deleteAndFetchSet(db).map(\.id) == [2])
        #expect(try all.deleteAndFetchCursor(db).next()?.id == 3)
        #expect(try Player.fetchCount(db) == 0)
      }
    },
    .same(.api(8), #"row["a"] == nil, row[0] without a type"#) {
      let row: Row = ["a": 1, "b": nil, "c": "x", "d": 1.5, "e": Data([1])]
      let isNull = row["b"] == nil && row[1] == nil
      #expect(isNull)
      #expect(row[Column("b")] == nil)
      #expect(row["a"] != nil)
      #expect(row[0] != nil)
      #expect(row["z"] == nil)
      let untyped: (any DatabaseValueConvertible)? = row["a"]
      #expect(untyped as? Int64 == 1)
      #expect((row[2] as (any DatabaseValueConvertible)?) as? String == "x")
      let name: String? = row["c"]
      #expect(name == "x")
    },
    .same(.api(9), #"row["missing"] as Int?"#) {
      try withDatabase { db throws in
        let rows = try Row.fetchCursor(db, sql: "SELECT 1 AS a")
        let row = try #require(try rows.next())
        #expect(row["missing"] as Int? == nil)
        #expect(row[Column("missing")] as Date? == nil)
        #expect(row.copy()["missing"] as Int? == nil)
      }
    },
    .same(.api(10), "fetchCursor, fetchSet(_:keys:), (_:ids:)") {
      try withPlayers { db throws in
        let emails = [["email": "a@x.com"], ["email": "c@x.com"]]
        #expect(try Array(Player.fetchCursor(db, keys: [1, 3])) == [.arthur, .craig])
        #expect(try Array(Player.fetchCursor(db, ids: [2, 2])) == [.barbara])
        #expect(try Array(Player.fetchCursor(db, keys: emails)) == [.arthur, .craig])
        #expect(try Player.fetchSet(db, keys: [1, 3]) == [.arthur, .craig])
        #expect(try Player.fetchSet(db, ids: [1, 2]) == [.arthur, .barbara])
        #expect(try Player.fetchSet(db, keys: emails) == [.arthur, .craig])
      }
    },
    .same(.api(21), "databaseDictionary, Row(record), containers as collections") {
      var item = Item.cup
      #expect(try item.databaseDictionary["name"] == "cup".databaseValue)
      #expect(try Row(item) == ["id": 1, "name": "cup", "price": 4.0])
      var container = PersistenceContainer()
      try item.encode(to: &container)
      #expect(container.map(\.0) == ["id", "name", "price"])
      #expect(container.count == 3 && container[1].1 == "cup".databaseValue)
      #expect(try item.databaseChanges { $0.name = "mug" } == ["name": "cup".databaseValue])
      #expect(item.name == "mug")
    },
    .same(.api(25), "Date(julianDay:), AnyCursor(iterator:), cursor.isEmpty()") {
      #expect(Date(julianDay: 2_440_587.5) == Date(timeIntervalSince1970: 0))
      let day = Date(julianDay: 2_460_000.25)?.databaseValue
      #expect(day == "2023-02-24 18:00:00.000".databaseValue)
      #expect(Date(julianDay: -1) == nil && Date(julianDay: .nan) == nil)
      let numbers = try Array(AnyCursor(iterator: [1, 2].makeIterator()))
      #expect(numbers == [1, 2])
      let isEmpty = try AnyCursor([Int]()).isEmpty()
      #expect(isEmpty)
    },
    .documented(.api(25), "StatementColumnConvertible", "fromColumnValue"),
    .same(.behavior(15), "a cursor that has thrown throws again") {
      try withDatabase { db throws in
        let cursor = try Int.fetchCursor(db, sql: "SELECT abs(-9223372036854775807 - 1)")
        #expect(throws: DatabaseError.self) { try cursor.next() }
        #expect(throws: DatabaseError.self) { try cursor.next() }
      }
    },
    .same(.diagnostic(1), #"row.withUnsafeData(at: Column("a"))"#) {
      let row: Row = ["a": Data([1, 2])]
      let count = try row.withUnsafeData(at: Column("a")) { $0?.count }
      #expect(count == 2)
    },
    .same(.diagnostic(2), "an enum with a raw value and without a conformance") {
      try withDatabase { db throws in
        try db.execute(sql: "CREATE TABLE jersey (id INTEGER PRIMARY KEY, color TEXT)")
        let jersey = Jersey(id: 1, color: .white)
        try jersey.insert(db)
        #expect(try Jersey.fetchAll(db) == [jersey])
        let row = try #require(try Row.fetchOne(db, sql: "SELECT * FROM jersey"))
        let color: Color = row["color"]
        let missing: Color? = row["other"]
        #expect(color == .white && missing == nil)
        let white = Jersey.filter(Column("color") == Color.white.rawValue)
        #expect(try white.fetchCount(db) == 1)
      }
    },
  ]
}
