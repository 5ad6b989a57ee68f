import Storage
import Testing

@testable import StorageTestSupport

@Suite struct FetchRequestTests {
  @Test
  func `CUR-03, CUR-40, CUR-41, REQ-37…44: rows are fetched as cursors, arrays, sets, one by one`()
    throws
  {
    try withPlayers { db in
      let request = Player.order(\.id)
      #expect(try Array(Player.fetchCursor(db)).count == 3)
      #expect(try Array(request.fetchCursor(db)) == [.arthur, .barbara, .craig])
      #expect(try request.fetchAll(db) == [.arthur, .barbara, .craig])
      #expect(try Player.fetchAll(db).count == 3)
      #expect(try Player.fetchSet(db) == [.arthur, .barbara, .craig])
      #expect(try request.fetchOne(db) == .arthur)
      #expect(try request.fetchSet(db).count == 3)
      #expect(try Player.select { max($0.score) }.asRequest(of: Int.self).fetchOne(db) == 1000)
      #expect(try Int.fetchOne(db, Player.select { max($0.score) }) == 1000)
      #expect(try String.fetchAll(db, Player.select(\.name).order(\.name)).last == "Craig")
      #expect(try String.fetchSet(db, Player.select(\.name)).count == 3)
      #expect(try Array(String.fetchCursor(db, Player.select(\.name))).count == 3)
      let row = try Player.select { [min($0.score), max($0.score)] }
        .asRequest(of: Row.self).fetchOne(db)
      #expect(row?[0] == 100)
      #expect(row?[1] == 1000)
      let rows = try Table("player").all().fetchCursor(db)
      let first = try rows.next()
      #expect(first?["name"] == "Arthur")
      #expect(try Table<Player>("player").fetchAll(db).count == 3)
      #expect(try request.select(\.id, as: Int.self).fetchAll(db) == [1, 2, 3])
    }
  }

  @Test func `CRQ-01…13: requests of all kinds fetch and count rows`() throws {
    struct Leaders: FetchRequest {
      typealias RowDecoder = Player
      func makePreparedRequest(_ db: Database, forSingleResult: Bool) throws -> PreparedRequest {
        let sql = "SELECT * FROM player WHERE score >= ?"
        let statement = try db.cachedStatement(sql: sql)
        try statement.setArguments([1000])
        return PreparedRequest(statement: statement)
      }
    }
    try withPlayers { db throws in
      #expect(try Leaders().fetchAll(db) == [.barbara])
      #expect(try Leaders().fetchCount(db) == 1)
      #expect(try AnyFetchRequest(Leaders()).fetchOne(db) == .barbara)
      #expect(try AnyFetchRequest(Leaders()).fetchCount(db) == 1)
      #expect(try AnyFetchRequest(Player.all()).asRequest(of: Row.self).fetchAll(db).count == 3)
      let request: SQLRequest<Player> = "SELECT * FROM player WHERE name = \("Craig")"
      #expect(try request.fetchAll(db) == [.craig])
      #expect(try request.fetchCount(db) == 1)
      #expect(try request.asRequest(of: Int.self).fetchOne(db) == 3)
      #expect(try SQLRequest<Int>(sql: "SELECT ?", arguments: [7]).fetchOne(db) == 7)
    }
  }

  @Test func `a request reports its region without running`() throws {
    try withPlayers { db throws in
      func region(_ request: some FetchRequest) throws -> String {
        try request.databaseRegion(db).description
      }
      #expect(try region(Player.select(\.name)) == "player(name)")
      #expect(try region(Player.select(\.name).filter(key: 2)) == "player(id,name)[2]")
      #expect(try region(Player.select(\.name).filter { $0.id == 2 }) == "player(id,name)[2]")
    }
  }

  /// A request of an app, which only prepares its statement.
  private struct Best: FetchRequest {
    typealias RowDecoder = Player
    var minimum: Int
    func makePreparedRequest(_ db: Database, forSingleResult: Bool) throws -> PreparedRequest {
      let statement = try db.cachedStatement(sql: "SELECT id FROM player WHERE score >= ?")
      try statement.setArguments([minimum])
      return PreparedRequest(statement: statement)
    }
  }

  private struct BestOrNone: FetchRequest, Hashable {
    typealias RowDecoder = Player
    var minimum: Int
    func makePreparedRequest(_ db: Database, forSingleResult: Bool) throws -> PreparedRequest {
      try Best(minimum: minimum).makePreparedRequest(db, forSingleResult: forSingleResult)
    }
  }

  @Test func `a request of any kind is a subquery`() throws {
    let best = #"(SELECT id FROM player WHERE score >= 1000)"#
    try expectSQL(
      request: Player.filter { Best(minimum: 1000).contains($0.id) },
      #"SELECT * FROM "player" WHERE "id" IN \#(best)"#
    )
    try expectSQL(
      request: Player.filter { $0.id == AnyFetchRequest(Best(minimum: 1000)) && $0.score > 1 },
      #"SELECT * FROM "player" WHERE ("id" = \#(best)) AND ("score" > 1)"#
    )
    try expectSQL(
      request: Player.filter(Best(minimum: 1000).adapted { _ in EmptyRowAdapter() }.exists()),
      #"SELECT * FROM "player" WHERE EXISTS \#(best)"#
    )
    try expectSQL(
      request: Player.filter(Table("team").exists()),
      #"SELECT * FROM "player" WHERE EXISTS (SELECT * FROM "team")"#
    )
    try withPlayers { db in
      let request = Player.filter { Best(minimum: 1000).contains($0.id) }
      #expect(try request.fetchAll(db) == [.barbara])
      #expect(request.description == #"SELECT * FROM "player" WHERE "id" IN (…)"#)
      let statement = try db.makeStatement(literal: "SELECT \(Best(minimum: 1000))")
      try #expect(Int.fetchOne(statement) == 2)
    }
  }

  @Test func `subqueries of equal requests are equal`() {
    let request = Player.filter { BestOrNone(minimum: 1).contains($0.id) }
    #expect(request == Player.filter { BestOrNone(minimum: 1).contains($0.id) })
    #expect(request != Player.filter { BestOrNone(minimum: 2).contains($0.id) })
    // Without an equality, the same value is equal to itself only.
    let other = Player.filter { Best(minimum: 1).contains($0.id) }
    #expect(other == other)
    #expect(other.hashValue == other.hashValue)
    #expect(other != Player.filter { Best(minimum: 1).contains($0.id) })
  }

  @Test func `a request is a region`() throws {
    try withPlayers { db throws in
      let parts: [any DatabaseRegionConvertible] = [
        Player.select(\.name), Table("team"), AnyFetchRequest(Player.filter(keys: [2, 3])),
        Player.filter { [4, 5].contains($0.id) }, Player.filter { $0.id == 6 || $0.id == 7 },
      ]
      let regions = try parts.map { try $0.databaseRegion(db) }
      #expect(regions[0].description == "player(name)")
      #expect(regions[1].description == "team(color,id,name)")
      #expect(regions[2].description.hasSuffix("[2,3]"))
      #expect(regions[3].description.hasSuffix("[4,5]"))
      #expect(regions[4].description.hasSuffix("[6,7]"))
    }
  }
}
