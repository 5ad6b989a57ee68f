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

  struct CitizenSquad: FetchableRecord, Decodable, Equatable {
    struct Member: FetchableRecord, Decodable, Equatable {
      let name: String
      let citizenships: [Citizenship]
    }
    struct Citizenship: FetchableRecord, Decodable, Equatable { let countryCode: String }
    let name: String
    let players: [Member]
  }

  /// Closures that fetch. The statements of the second closure have the same text.
  static let closures: [@Sendable (Database) throws -> [String]] = [
    { db in
      try Team.including(all: players).order(Column("name").desc).asRequest(of: Squad.self)
        .fetchAll(db).map { "\($0)" }
    },
    { db in
      let good = Team.including(all: players.filter(Column("score") > 2))
      let all = Team.including(all: players.order(Column("score"), Column("id")))
      return try [good, all, good].flatMap { try $0.asRequest(of: Squad.self).fetchAll(db) }
        .map { "\($0)" }
    },
    { db in
      let request = Team.including(all: players.including(all: citizenships))
      let first = try request.order(Column("name")).asRequest(of: CitizenSquad.self).fetchOne(db)
      return try request.asRequest(of: CitizenSquad.self).fetchAll(db).map { "\($0)" }
        + ["\(first as CitizenSquad?)"]
    },
    { db in
      try Team.including(all: players.limit(2)).asRequest(of: Row.self).fetchAll(db).map { row in
        "\(row): \(row.prefetchedRows["players"]?.map { "\($0)" } ?? [])"
      }
    },
  ]

  @Test(arguments: closures.indices, [false, true])
  func `the fetches of closures with associated rows are patched`(
    index: Int,
    isForeign: Bool
  ) async throws {
    let pool = try poolWithMatches()
    let closure = Self.closures[index]
    let observation = try await FollowedObservation(
      ValueObservation.tracking { db in try closure(db) },
      in: pool,
      path: path()
    ) { db in try closure(db) }
    let changes = Self.nestedChanges + Self.changes
    let runs = try await observation.commit(changes, isForeign: isForeign)
    #expect(observation.cancellable.explain()?.statementObstacles == [:])
    #expect(runs.patches >= 8)
    #expect(runs.refetches <= 4)
    // A read of a new schema by the library itself is not a fetch of the closure.
    _ = try await observation.commit(["CREATE TABLE later (a)"], isForeign: isForeign)
    #expect(observation.cancellable.explain()?.statementObstacles == [:])
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

  // MARK: Associated rows of associated rows

  private static let matches = Player.hasMany(Table("match"), using: ForeignKey(["playerID"]))
  private static let goals = Table("match").hasMany(Table("goal"), using: ForeignKey(["matchID"]))

  private static let matchSchema = """
    CREATE TABLE match (id INTEGER PRIMARY KEY, playerID INTEGER, day TEXT);
    CREATE TABLE goal (id INTEGER PRIMARY KEY, matchID INTEGER, minute INTEGER);
    CREATE INDEX onPlayer ON match (playerID);
    CREATE INDEX onMatch ON goal (matchID);
    INSERT INTO match SELECT id, (id * 7) % 41, 'd' || (id % 5) FROM player;
    INSERT INTO match SELECT id + 100, (id * 3) % 41, 'e' || (id % 3) FROM player;
    INSERT INTO goal SELECT id, id + 100 * (id % 2), id % 90 FROM match WHERE id < 100;
    INSERT INTO citizenship SELECT id, 'c' || (id % 4) FROM player;
    """

  static let nestedRequests: [(request: QueryInterfaceRequest<Team>, lines: [String])] = [
    (
      Team.including(all: players.including(all: citizenships)),
      ["each with the rows of player by teamid", "  each with the rows of citizenship by playerid"]
    ),
    (
      Team.including(
        all: players.order(Column("name"), Column("id")).limit(3)
          .including(all: matches.order(Column("day").desc, Column("id")))
      )
      .order(Column("name").desc),
      ["each with the rows of player by teamid", "  each with the rows of match by playerid"]
    ),
    (
      Team.including(all: players.including(all: matches.including(all: goals)))
        .including(all: players.forKey("others").including(all: citizenships)),
      [
        "each with the rows of player by teamid", "  each with the rows of match by playerid",
        "    each with the rows of goal by matchid",
        "  each with the rows of citizenship by playerid",
      ]
    ),
  ]

  private func poolWithMatches() throws -> DatabasePool {
    let pool = try pool()
    try pool.write { try $0.execute(sql: Self.matchSchema) }
    return pool
  }

  private static let nestedChanges = [
    "UPDATE match SET day = 'x' WHERE id = 3", "UPDATE goal SET minute = 91 WHERE id = 4",
    "UPDATE goal SET matchID = 12 WHERE id IN (2, 5)",
    // A player and the rows that belong to it change together, from one team to another.
    """
    UPDATE player SET teamID = 3 WHERE id = 10; UPDATE match SET day = 'y' WHERE playerID = 10;
    UPDATE citizenship SET countryCode = 'new' WHERE playerID = 10
    """,
    "DELETE FROM player WHERE id = 11; DELETE FROM match WHERE playerID = 11",
    "INSERT INTO match VALUES (300, 12, 'z'); INSERT INTO goal VALUES (300, 300, 1)",
    "INSERT INTO citizenship VALUES (12, 'd'), (9, 'no team'), (999, 'no player')",
    "UPDATE player SET id = 70 WHERE id = 14; UPDATE match SET playerID = 70 WHERE playerID = 14",
    "DELETE FROM citizenship WHERE playerID = 12", "DELETE FROM goal WHERE matchID = 300",
    "UPDATE match SET id = 400 WHERE id = 6; UPDATE goal SET matchID = 400 WHERE id = 7",
  ]

  @Test(arguments: nestedRequests.indices, [false, true])
  func `requests with associated rows of associated rows are patched`(
    index: Int,
    isForeign: Bool
  ) async throws {
    let pool = try poolWithMatches()
    let (request, lines) = Self.nestedRequests[index]
    let observation = try await FollowedObservation(
      of: request.asRequest(of: Row.self),
      in: pool,
      path: path()
    )
    let changes = Self.nestedChanges + Self.changes
    let runs = try await observation.commit(changes, isForeign: isForeign)
    // Not each request reads each table.
    #expect(runs.patches >= changes.count - 8)
    #expect(runs.refetches <= 4)
    let plan = try #require(observation.cancellable.explain()?.statementPlans.values.first)
    #expect(plan.split(separator: "\n").dropFirst().map { String($0.dropFirst(2)) } == lines)
  }

  @Test(arguments: nestedRequests.indices)
  func `associated rows of associated rows are right after random changes`(
    index: Int
  ) async throws {
    let pool = try poolWithMatches()
    let request = Self.nestedRequests[index].request.asRequest(of: Row.self)
    let observation = try await FollowedObservation(of: request, in: pool, path: path())
    var generator = SeededGenerator(seed: 11)
    func change() -> String {
      let (player, match) = (generator.number(in: 1..<44), generator.number(in: 1..<44))
      return switch generator.number(in: 0..<9) {
      case 0: "DELETE FROM player WHERE id = \(player)"
      case 1: "DELETE FROM match WHERE id = \(match)"
      case 2: "INSERT OR REPLACE INTO match VALUES (\(match), \(player), 'r\(player % 3)')"
      case 3: "INSERT OR REPLACE INTO goal VALUES (\(player), \(match), \(player % 7))"
      case 4: "UPDATE OR REPLACE match SET id = id + 1 WHERE id = \(match)"
      case 5: "INSERT OR REPLACE INTO citizenship VALUES (\(player), 'c\(match % 3)')"
      case 6: "UPDATE player SET teamID = \(match % 9) WHERE id = \(player)"
      case 7: "UPDATE OR REPLACE citizenship SET playerID = \(match) WHERE playerID = \(player)"
      default:
        "INSERT OR REPLACE INTO player (id, teamID, name) VALUES (\(player), \(match % 9), 'x')"
      }
    }
    let changes = (0..<Soak.size(400, inSuite: 40)).map { _ in
      (0...generator.number(in: 0..<3)).map { _ in change() }.joined(separator: "; ")
    }
    let runs = try await observation.commit(changes, isForeign: false)
    #expect(runs.patches > runs.refetches)
  }

  private static let furtherRows = "fetches associated rows that depend on more than a row id"

  /// Requests that run as a whole, and why.
  static let obstacles: [(request: QueryInterfaceRequest<Row>, obstacle: String)] = [
    // They belong to the rows of a join.
    (
      Team.including(
        all: players.joining(required: citizenships).including(all: citizenships.forKey("all"))
      )
      .asRequest(of: Row.self),
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
