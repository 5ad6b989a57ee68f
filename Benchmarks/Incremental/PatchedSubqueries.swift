internal import Storage

/// The cost of a change to a subquery's table in an observed query that is patched, in relation to
/// running it again.
enum PatchedSubqueries {
  static let benchmarks = [
    Benchmark(
      .incremental,
      "Change a player's team among 10,000 teams with the number of their players (baseline: run it)",
      limit: 0.02,
      prepare: { try contest(in: $0, numbers) }
    ),
    Benchmark(
      .incremental,
      "Change a player's team among the 20 teams with most players (baseline: run it)",
      limit: 0.02,
      prepare: { try contest(in: $0, "\(numbers) ORDER BY players DESC LIMIT 20") }
    ),
    Benchmark(
      .incremental,
      "Change a player's team among teams that have players, by EXISTS (baseline: run it)",
      limit: 0.05,
      prepare: {
        try contest(
          in: $0,
          "SELECT * FROM team WHERE EXISTS (SELECT 1 FROM player WHERE teamId = team.id)"
        )
      }
    ),
    Benchmark(
      .incremental,
      "Change a player's team among teams without players, by NOT IN (baseline: run it)",
      limit: 0.05,
      prepare: {
        try contest(in: $0, "SELECT * FROM team WHERE id NOT IN (SELECT teamId FROM player)")
      }
    ),
    Benchmark(
      .incremental,
      "Change a player's team among 10,000 teams, grouped with 200,000 players (baseline: run it)",
      limit: 0.02,
      prepare: {
        try contest(
          in: $0,
          """
          SELECT team.*, count(player.id) AS players FROM team
          LEFT JOIN player ON player.teamId = team.id GROUP BY team.id
          """
        )
      }
    ),
  ]

  private static let numbers = """
    SELECT *, (SELECT count(*) FROM player WHERE teamId = team.id) AS players FROM team
    """

  static let creation = """
    CREATE TABLE team (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE player (id INTEGER PRIMARY KEY, teamId INTEGER NOT NULL, name TEXT NOT NULL);
    CREATE INDEX playerOnTeam ON player (teamId);
    WITH RECURSIVE n (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n WHERE n < 9999)
    INSERT INTO team SELECT n, 'team ' || n FROM n;
    WITH RECURSIVE n (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n WHERE n < 199999)
    INSERT INTO player SELECT n, n * 7919 % 9000, 'player ' || n FROM n;
    """

  static func contest(in workspace: Workspace, _ sql: String) throws -> Contest {
    let request = SQLRequest<Row>(sql: sql)
    return try PatchedResults.contest(
      in: workspace,
      creation: creation,
      change: { round, db in
        let sql = "UPDATE player SET teamId = ? WHERE id = 70000"
        try db.cachedStatement(sql: sql).execute(arguments: [round % 2 == 0 ? 9_500 : 300])
      },
      observation: .tracking(request),
      // In alternate rounds, a team has players or has no players.
      checksum: { ($0.count + 50) / 100 }
    ) { db in try request.fetchAll(db) }
  }
}
