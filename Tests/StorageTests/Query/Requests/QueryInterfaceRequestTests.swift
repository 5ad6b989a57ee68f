import Storage
import Testing

@testable import StorageTestSupport

@Suite struct QueryInterfaceRequestTests {
  @Test func `A-115: a request is printed as SQL`() throws {
    try withLeague { db in
      let statement = try Player.filter(key: 1).makePreparedRequest(db).statement
      #expect(statement.sql == #"SELECT * FROM "player" WHERE "id" = ?"#)
    }
  }

  @Test func `a description is the SQL without the values, and needs no database`() {
    let request = Player.filter { $0.score >= 1000 }.order(\.name).limit(10)
    #expect(
      "\(request)" == #"SELECT * FROM "player" WHERE "score" >= ? ORDER BY "name" LIMIT 10"#
    )
    #expect("\(SQLRequest<Row>(literal: "SELECT \(1)"))" == "SELECT ?")
    #expect("\(Player.filter(key: 1))" == #"SELECT * FROM "player" WHERE <primary key> = ?"#)
    #expect(
      "\(Player.filter(keys: [1, 2]))" == #"SELECT * FROM "player" WHERE <primary key> IN (?, ?)"#
    )
    #expect(
      "\(Player.filter(key: ["b": 1, "a": 2]))"
        == #"SELECT * FROM "player" WHERE ("a" = ?) AND ("b" = ?)"#
    )
    #expect(
      "\(Player.all().join(Team.self) { $1.id == $0.teamID })"
        == #"SELECT "player".*, "team".* FROM "player" JOIN "team" ON "team"."id" = "player"."teamID""#
    )
  }

  @Test func `requests for the same query are equal`() {
    #expect(Player.filter { $0.id == 1 } == Player.filter { $0.id == 1 })
    #expect(Player.filter { $0.id == 1 } != Player.filter { $0.id == 2 })
    #expect(Set([Player.filter(key: 1), Player.filter(key: 1), Player.all()]).count == 2)
    #expect(Player.filter(key: 1).hashValue == Player.filter(key: 1).hashValue)
  }
}
