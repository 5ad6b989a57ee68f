import TestSupport
import Testing

@testable import Storage
@testable import StorageTestSupport

@Suite("Patched requests with associated rows") struct PatchedAssociationTests {
  private static let players = Team.hasMany(Player.self, using: ForeignKey(["teamID"]))
  private static let citizenships = Player.hasMany(
    Table("citizenship"),
    using: ForeignKey(["playerID"])
  )

  private func pool(hasIndex: Bool = true) throws -> DatabasePool {
    var configuration = Configuration.patching
    configuration.foreignKeysEnabled = false
    let pool = try DatabasePool(path: path(hasIndex: hasIndex), configuration: configuration)
    try pool.write { db in
      try db.execute(sql: League.schema)
      if hasIndex { try db.execute(sql: "CREATE INDEX onTeam ON player (teamID, name)") }
      for id in 1...8 { try Team(id: Int64(id), name: "t\(id)", color: nil).insert(db) }
      for id in 1...40 {
        let team = id % 9 == 0 ? nil : Int64(id % 9)
        let name = "p\(id * 7 % 13)"
        try Player(id: Int64(id), teamID: team, name: name, email: nil, score: id % 5).insert(db)
      }
    }
    return pool
  }

  private let directory = TemporaryDirectory()

  private func path(hasIndex: Bool = true) -> String {
    directory.file(hasIndex ? "indexed" : "plain")
  }

  private static let changes = [
    "UPDATE player SET name = 'new' WHERE id = 2",
    "UPDATE player SET teamID = 3 WHERE id IN (1, 7)",
    "INSERT INTO player (id, teamID, name, score) VALUES (50, 4, 'late', 3)",
    "UPDATE team SET name = 'a' WHERE id = 5", "DELETE FROM player WHERE id = 50",
    "INSERT INTO team VALUES (0, 'first', NULL), (9, 'last', 'red')",
    "UPDATE player SET teamID = 9 WHERE id = 12; DELETE FROM team WHERE id = 2",
    "UPDATE team SET id = 20 WHERE id = 1; UPDATE player SET teamID = 20 WHERE id = 6",
    "UPDATE player SET teamID = NULL WHERE teamID = 4", "UPDATE player SET id = 60 WHERE id = 13",
  ]

  static let requests: [QueryInterfaceRequest<Team>] = [
    Team.including(all: players),
    Team.including(all: players.order(Column("score").desc)).order(Column("name").desc),
    Team.including(all: players.filter(Column("score") > 2).forKey("good")).limit(4),
    Team.including(all: players.order(Column("name")).limit(2)).order(Column("name")),
    Team.including(all: players.forKey("low").filter(Column("score") < 2))
      .including(all: players.select(Column("name"), Column("teamID")).forKey("names")),
    Team.filter(Column("color") == nil).select(Column("name")).including(all: players).limit(
      3,
      offset: 2
    ),
  ]

  @Test(arguments: requests.indices, [false, true])
  func `requests with associated rows are patched`(request: Int, isForeign: Bool) async throws {
    // Without an index, one key and several are sorted by different terms for a limit.
    for hasIndex in request == 3 ? [true] : [true, false] {
      let pool = try pool(hasIndex: hasIndex)
      let request = Self.requests[request].asRequest(of: Row.self)
      let observation = try await FollowedObservation(
        of: request,
        in: pool,
        path: path(hasIndex: hasIndex)
      )
      let runs = try await observation.commit(Self.changes, isForeign: isForeign)
      #expect(runs.patches >= Self.changes.count - 4)
      #expect(runs.refetches <= 4)
      observation.cancellable.cancel()
      try pool.close()
    }
  }

  @Test(arguments: requests.indices)
  func `associated rows are right after random changes`(request: Int) async throws {
    let pool = try pool()
    let request = Self.requests[request].asRequest(of: Row.self)
    let observation = try await FollowedObservation(of: request, in: pool, path: path())
    var generator = SeededGenerator(seed: 7)
    let changes = (0..<Soak.size(400, inSuite: 40)).map { _ in
      let player = generator.number(in: 1..<50)
      let team = generator.chance(10) ? "NULL" : "\(generator.number(in: 0..<12))"
      return switch generator.number(in: 0..<7) {
      case 0: "DELETE FROM player WHERE id = \(player)"
      case 1:
        "UPDATE player SET score = \(player % 6), name = 'n\(player % 7)' WHERE id = \(player)"
      case 2: "DELETE FROM team WHERE id = \(team)"
      case 3: "INSERT OR REPLACE INTO team VALUES (\(team), 'r\(player)', NULL)"
      case 4: "UPDATE OR REPLACE player SET id = id + 1 WHERE id = \(player)"
      default:
        "INSERT OR REPLACE INTO player (id, teamID, name) VALUES (\(player), \(team), 'x\(player % 5)')"
      }
    }
    let runs = try await observation.commit(changes, isForeign: false)
    #expect(runs.patches > runs.refetches)
  }

  struct Squad: FetchableRecord, Decodable, Equatable {
    let name: String
    let players: [Player]
  }

  @Test func `records are patched with their associated records`() async throws {
    let pool = try pool()
    let request = Team.including(all: Self.players).order(Column("name")).asRequest(of: Squad.self)
    let observation = try await FollowedObservation(
      .tracking(request),
      in: pool,
      path: path()
    ) { db in try request.fetchAll(db) }
    #expect(observation.cancellable.explain()?.patchObstacle == nil)
    let runs = try await observation.commit(Self.changes, isForeign: false)
    #expect(runs.refetches == 0)
  }

  @Test func `a change of a player fetches one team`() async throws {
    let pool = try pool()
    let request = Team.including(all: Self.players).asRequest(of: Row.self)
    let observation = try await FollowedObservation(of: request, in: pool, path: path())
    let runs = try await observation.commit(
      ["UPDATE player SET score = 9 WHERE id = 3"],
      isForeign: false
    )
    #expect(runs == (patches: 1, refetches: 0))
    // Players of no team, and of a team that is not there, change nothing.
    let others = try await observation.commit(
      [
        "UPDATE player SET score = 9 WHERE id = 9",
        "INSERT INTO player (id, teamID, name) VALUES (99, 70, '')",
      ],
      isForeign: false
    )
    #expect(others.refetches == 0)
  }

  private static let furtherRows = "fetches associated rows that depend on more than a row id"

  /// Requests that run as a whole, and why.
  static let obstacles: [(request: QueryInterfaceRequest<Row>, obstacle: String)] = [
    (
      Team.including(all: players.including(all: citizenships)).asRequest(of: Row.self),
      furtherRows
    ),
    (
      Team.including(
        all: players.including(optional: Player.belongsTo(Team.self, using: ForeignKey(["teamID"])))
      )
      .asRequest(of: Row.self),
      furtherRows
    ),
    (
      Team.including(
        all: players.filter(Column("score") == Player.select(max(Column("score"))))
      )
      .asRequest(of: Row.self), furtherRows
    ),
    (Team.including(all: players.group(Column("score"))).asRequest(of: Row.self), furtherRows),
    // One team is read forwards, and several teams are read backwards.
    (
      Team.including(all: players.order(Column("teamID").desc)).asRequest(of: Row.self),
      "reads its rows in an order that is not known"
    ),
  ]

  @Test(arguments: obstacles.indices)
  func `requests with other associated rows run as a whole`(index: Int) async throws {
    let pool = try pool()
    let (request, obstacle) = Self.obstacles[index]
    let observation = try await FollowedObservation(
      .tracking(request),
      in: pool,
      path: path()
    ) { db in try request.fetchAll(db) }
    let runs = try await observation.commit(Self.changes, isForeign: false)
    #expect(observation.cancellable.explain()?.patchObstacle == obstacle)
    #expect(runs.patches == 0)
  }
}
