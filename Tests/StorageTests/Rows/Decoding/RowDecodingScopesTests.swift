import Storage
import Testing

@testable import StorageTestSupport

@Suite struct RowDecodingScopesTests {
  private struct Pair: Decodable, FetchableRecord {
    var first: Player
    var second: Player
  }

  private struct OptionalPair: Decodable, FetchableRecord {
    var first: Player
    var second: Player?
  }

  private struct Mixed: Decodable, FetchableRecord {
    struct Score: Decodable, FetchableRecord { var score: Int? }
    var player: Player
    var other: Score
  }

  /// Keeps the coding path of its decoder.
  private struct Path: Decodable {
    var names: [String]

    init(from decoder: any Decoder) throws {
      struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
      }
      let container = try decoder.container(keyedBy: Key.self)
      names = container.codingPath.map(\.stringValue)
      #expect(names == decoder.codingPath.map(\.stringValue))
    }
  }

  private struct Paths: Decodable, FetchableRecord {
    var team: Path
  }

  @Test func `only one record is decoded from the row itself`() throws {
    try withPlayers { db in
      for _ in 0..<2 {
        #expect(throws: RowDecodingError.self) {
          try Pair.fetchAll(db, sql: "SELECT * FROM player")
        }
        #expect(throws: RowDecodingError.self) { try Pair.fetchAll(db, Player.all()) }
        #expect(throws: RowDecodingError.self) {
          try Mixed.fetchAll(db, sql: "SELECT * FROM player")
        }
      }
      let row = try #require(try Row.fetchOne(db, sql: "SELECT * FROM player ORDER BY id"))
      #expect(throws: RowDecodingError.self) { try Pair(row: row) }
      let pairs = try OptionalPair.fetchAll(db, sql: "SELECT * FROM player ORDER BY id")
      #expect(pairs.map(\.first) == [.arthur, .barbara, .craig])
      #expect(pairs.allSatisfy { $0.second == nil })
    }
  }

  @Test func `the coding path in a scope names the scope`() throws {
    try withPlayers { db in
      #expect(
        try Paths.fetchAll(db, Self.request).map(\.team.names) == [["team"], ["team"], ["team"]]
      )
      let rows = try Row.fetchAll(db, Self.request)
      #expect(try rows.map { try Paths(row: $0).team.names }.first == ["team"])
    }
  }

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
