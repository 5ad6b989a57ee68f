import Sharing
import SharingTestSupport
import Testing
import TestSupport

/// Requests with associations as keys.
@Suite(.inMemoryDatabase(createTeams), .patient)
struct FetchKeyAssociationTests {
  struct Team: Codable, Hashable, Sendable, FetchableRecord, PersistableRecord {
    var id: Int64
    var name: String

    enum Columns {
      static let id = Column("id")
      static let name = Column("name")
    }
    static let players = hasMany(Player.self)
  }

  struct Player: Codable, Hashable, Sendable, FetchableRecord, PersistableRecord {
    var id: Int64
    var teamID: Int64
    var name: String

    enum Columns {
      static let id = Column("id")
      static let teamID = Column("teamID")
      static let name = Column("name")
    }
    static let team = belongsTo(Team.self)
    // The column `score` changes without the observers.
    static var databaseSelection: [any SQLSelectable] {
      [Columns.id, Columns.teamID, Columns.name]
    }
  }

  struct TeamInfo: Decodable, Hashable, Sendable, FetchableRecord {
    var team: Team
    var players: [Player]
    var names: [String] { players.map(\.name) }
  }

  struct PlayerInfo: Decodable, Hashable, Sendable, FetchableRecord {
    var player: Player
    var team: Team
  }

  private static func infos() -> QueryInterfaceRequest<TeamInfo> {
    Team.including(all: Team.players.order(\.name)).order(\.id).asRequest(of: TeamInfo.self)
  }

  @Test(.allowsFailures { $0.error is NotFound })
  func `C-20: fetchOne of a row with its associated rows fails without the row`() {
    let none = TeamInfo(team: Team(id: 0, name: "none"), players: [])
    @SharedReader(.fetchOne(Self.infos().filter(key: 99))) var team = none
    #expect($team.loadError is NotFound)
    #expect(team == none)
  }

  @Test func `SHR-12: a key of rows with all of their associated rows follows both tables`()
    async throws
  {
    @SharedReader(
      .fetchAll(
        Team.including(all: Team.players.order(\.name)).order(\.id).asRequest(of: TeamInfo.self)
      )
    )
    var teams: [TeamInfo]
    #expect(teams.map(\.names) == [["Arthur", "Barbara"], ["Craig"]])
    try await testDatabase.run("UPDATE player SET teamID = 2 WHERE id = 1")
    try await quiesce()
    #expect(teams.map(\.names) == [["Barbara"], ["Arthur", "Craig"]])
    try await testDatabase.run("UPDATE team SET name = 'Greens' WHERE id = 2")
    try await quiesce()
    #expect(teams.map(\.team.name) == ["Reds", "Greens"])
    try await testDatabase.run("DELETE FROM team WHERE id = 2")
    try await quiesce()
    #expect(teams.map(\.names) == [["Barbara"]])
    let runs = try testDatabase.observationStatistics.runs
    try await testDatabase.run("UPDATE player SET score = 10")
    try await quiesce()
    #expect(try testDatabase.observationStatistics.runs == runs)
  }

  @Test func `A-086: a key of joined rows follows the table that is joined`() async throws {
    @SharedReader(
      .fetchOne(
        Player.filter(key: 1).including(required: Player.team).asRequest(of: PlayerInfo.self)
      )
    )
    var player: PlayerInfo?
    @SharedReader(.fetchCount(Player.joining(required: Player.team.filter { $0.name == "Reds" })))
    var count = 0
    #expect(player?.team.name == "Reds")
    #expect(count == 2)
    try await testDatabase.run("UPDATE team SET name = 'Greens' WHERE id = 1")
    try await quiesce()
    #expect(player?.team.name == "Greens")
    #expect(count == 0)
    try await testDatabase.run("DELETE FROM team WHERE id = 1")
    try await quiesce()
    #expect(player == nil)
  }

  @Test func `SHR-23: equal requests with associations are one key`() async throws {
    @SharedReader(.fetchAll(Self.infos())) var first
    @SharedReader(.fetchAll(Self.infos())) var second
    @SharedReader(.fetchAll(Self.infos().limit(1))) var third
    #expect(first == second)
    #expect(third.count == 1)
    #expect(try testDatabase.observationStatistics.live == 2)
    try await testDatabase.run("UPDATE player SET name = 'Dora' WHERE id = 3")
    try await quiesce()
    #expect(first.map(\.names) == [["Arthur", "Barbara"], ["Dora"]])
    #expect(second == first)
  }

  @Test func `P7: associated rows are those of the moment of their rows`() async throws {
    @SharedReader(.fetchAll(Self.infos())) var teams
    for number in 1...20 {
      // Each commit moves all players to one team, and names it.
      let team = number % 2 + 1
      try await testDatabase.run(
        """
        UPDATE player SET teamID = \(team);
        UPDATE team SET name = CASE id WHEN \(team) THEN 'all' ELSE 'none' END
        """
      )
      for info in teams where info.team.name == "all" || info.team.name == "none" {
        #expect(info.players.count == (info.team.name == "all" ? 3 : 0))
      }
    }
    try await quiesce()
    #expect(teams.map(\.team.name).sorted() == ["all", "none"])
  }
}

@Sendable private func createTeams(_ db: Database) throws {
  try db.execute(
    sql: """
      CREATE TABLE team (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
      CREATE TABLE player (
        id INTEGER PRIMARY KEY, teamID INTEGER NOT NULL REFERENCES team(id) ON DELETE CASCADE,
        name TEXT NOT NULL, score INTEGER NOT NULL DEFAULT 0
      );
      INSERT INTO team VALUES (1, 'Reds'), (2, 'Blues');
      INSERT INTO player VALUES (1, 1, 'Arthur', 0), (2, 1, 'Barbara', 0), (3, 2, 'Craig', 0)
      """
  )
}
