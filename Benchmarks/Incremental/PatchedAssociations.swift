internal import Storage

/// The cost of a changed row among the associated rows of an observed request, in relation to
/// running the request again.
enum PatchedAssociations {
  static let benchmarks = [
    Benchmark(
      .incremental,
      "Change a player of 1,000 teams with all of their 20 players (baseline: run it)",
      limit: 0.05,
      prepare: contest(in:)
    )
  ]

  private struct Team: TableRecord, FetchableRecord, Decodable, Sendable {
    static let databaseTableName = "team"
    static let players = hasMany(Player.self, using: ForeignKey(["teamID"]))
  }

  private struct Player: TableRecord, FetchableRecord, Codable, Sendable {
    static let databaseTableName = "player"
    var id: Int64
    var teamID: Int64
    var name: String
    var score: Int
  }

  private struct Squad: FetchableRecord, Decodable, Sendable {
    var id: Int64
    var name: String
    var players: [Player]
  }

  private static let creation = """
    CREATE TABLE team (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE player (
      id INTEGER PRIMARY KEY, teamID INTEGER NOT NULL REFERENCES team, name TEXT NOT NULL,
      score INTEGER NOT NULL
    );
    CREATE INDEX playerOnTeam ON player (teamID);
    WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 1000)
    INSERT INTO team SELECT n, 'team ' || n FROM n;
    WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 20000)
    INSERT INTO player SELECT n, n * 7919 % 1000 + 1, 'player ' || n, n % 97 FROM n;
    """

  private static func contest(in workspace: Workspace) throws -> Contest {
    let request = Team.including(all: Team.players).order(Column("name")).asRequest(of: Squad.self)
    return try PatchedResults.contest(
      in: workspace,
      creation: creation,
      change: { round, db in
        try db.cachedStatement(sql: "UPDATE player SET score = ? WHERE id = 7000")
          .execute(arguments: [round])
      },
      observation: .tracking(request),
      checksum: { squads in squads.reduce(0) { $0 + $1.players.count } }
    ) { db in try request.fetchAll(db) }
  }
}
