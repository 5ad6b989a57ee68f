import Storage
import Testing

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
}
