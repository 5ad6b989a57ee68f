import Storage
import Testing

@testable import StorageTestSupport

@Suite struct RowDecodingScopesTests {
  private struct Info: Decodable, Equatable, FetchableRecord {
    var player: Player
    var team: Team?
  }

  private struct Names: Decodable, Equatable, FetchableRecord {
    struct Name: Decodable, Equatable { var name: String }
    var name: String
    var team: Name
  }

  private static let request = Player.all()
    .leftJoin(Team.self) { player, team in team.id == player.teamID }.order(\.id)

  @Test func `REC-23, A-089: a record of several tables is decoded from a join`() throws {
    try withPlayers { db in
      try db.execute(sql: "UPDATE player SET teamID = NULL WHERE id = 3")
      var craig = Player.craig
      craig.teamID = nil
      let reds = try Team.find(db, id: 1)
      let expected = [
        Info(player: .arthur, team: reds), Info(player: .barbara, team: reds),
        Info(player: craig, team: nil),
      ]
      #expect(try Info.fetchAll(db, Self.request) == expected)
      #expect(try Row.fetchAll(db, Self.request).map(Info.init(row:)) == expected)
      #expect(try Info.fetchOne(db, Self.request) == expected[0])
    }
  }

  @Test
  func `a column takes precedence over a scope, and a scope can be decoded as any Decodable type`()
    throws
  {
    try withPlayers { db in
      let names = try Names.fetchAll(db, Self.request)
      #expect(names.map(\.name) == ["Arthur", "Barbara", "Craig"])
      #expect(names.map(\.team.name) == ["Reds", "Reds", "Blues"])
    }
  }

  @Test func `a scope that does not fit is an error that names the column`() throws {
    try withPlayers { db in
      try db.execute(sql: "UPDATE player SET teamID = NULL WHERE id = 3")
      let error = #expect(throws: RowDecodingError.self) { try Names.fetchAll(db, Self.request) }
      #expect(
        "\(error, default: "")".hasPrefix("column name is NULL, which String cannot hold: use")
      )
    }
  }
}
