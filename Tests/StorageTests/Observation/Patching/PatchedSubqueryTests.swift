import Testing
import TestSupport

@testable import Storage
@testable import StorageTestSupport

/// A patched result of a query with subqueries equals a fresh run, ties included.
@Suite("Patched subqueries") struct PatchedSubqueryTests {
  private func check(_ comparison: PatchComparison, _ term: RandomSubqueries.Term) {
    #expect(comparison.queries > 3 || !term.isPatched, "\(term.sql): \(comparison)")
    #expect(comparison.queries == 0 || term.isPatched, "\(term.sql): \(comparison)")
    #expect(comparison.patches >= comparison.runs * 3, "\(term.sql): \(comparison)")
  }

  @Test(arguments: RandomSubqueries.values.indices)
  func `a subquery among the columns is patched as a fresh run shows it`(index: Int) throws {
    let term = RandomSubqueries.values[index]
    check(
      try RandomSubqueries.comparison(seeds: 2, transactions: 3) {
        ($0.query(withValue: term), [])
      },
      term
    )
  }

  @Test(arguments: RandomSubqueries.conditions.indices)
  func `rows that a subquery selects are those of a fresh run`(index: Int) throws {
    let term = RandomSubqueries.conditions[index]
    check(
      try RandomSubqueries.comparison(seeds: 2, transactions: 3) { ($0.query(where: term), []) },
      term
    )
  }

  @Test(arguments: RandomSubqueries.conditions.indices)
  func `the number of rows that a subquery selects is a fresh one`(index: Int) throws {
    let term = RandomSubqueries.conditions[index]
    check(
      try RandomSubqueries.comparison(seeds: 2, transactions: 2, .number) {
        ($0.numberQuery(where: term), [])
      },
      term
    )
  }

  @Test(arguments: (RandomSubqueries.values + RandomSubqueries.conditions).indices)
  func `a change in a subquery touches only the rows that it leads to`(index: Int) throws {
    let isValue = RandomSubqueries.values.indices.contains(index)
    let term = (RandomSubqueries.values + RandomSubqueries.conditions)[index]
    guard term.isPatched else { return }
    try withDatabase { db throws in
      var queries = RandomSubqueries(seed: 3)
      try queries.makeTables(db)
      let sql =
        isValue
        ? "SELECT a.id, \(term.sql) AS v FROM a ORDER BY id"
        : "SELECT id FROM a WHERE \(term.sql) ORDER BY id"
      let plan = try PatchAnalysis.plan(for: try db.makeStatement(sql: sql))
      let inner = Set(["p", "q"].map { TableName(schema: "main", name: $0) })
        .filter { term.sql.contains("FROM \($0.name)") || term.sql.contains("JOIN \($0.name)") }
      #expect(inner.isSubset(of: plan.inputs.tables) == term.isFollowed, "\(plan.inputs)")
    }
  }

  static let refused: [(String, String?)] = [
    // A row of one table with several rows of another: SQLite looks up each value of the subquery.
    (
      """
      SELECT a.id, d.x FROM a, d WHERE d.id IN (SELECT abs(p.k) FROM p WHERE p.a = a.id)
      """, "joins several rows of a table with one row of another"
    ),
    (
      "SELECT a.id, d.x FROM a, d WHERE d.id IN (SELECT max(k) FROM p WHERE p.a = a.id GROUP BY x)",
      "joins several rows of a table with one row of another"
    ),
    // NULL is equal to NULL.
    (
      """
      SELECT a.id, (SELECT count(*) FROM p WHERE p.a IS d.id) FROM a LEFT JOIN d ON d.id = a.b
      """, nil
    ),
  ]

  @Test(arguments: refused)
  func `what looks like a link is none`(sql: String, obstacle: String?) throws {
    try withDatabase { db throws in
      var queries = RandomSubqueries(seed: 3)
      try queries.makeTables(db)
      let statement = try db.makeStatement(sql: sql)
      #expect(try statement.patchObstacle() == obstacle)
      guard obstacle == nil else { return }
      #expect(try PatchAnalysis.plan(for: statement).links.isEmpty)
    }
  }

  @Test(arguments: RandomSubqueries.sources.indices)
  func `groups by a row id are patched as a fresh run shows them`(index: Int) throws {
    let source = RandomSubqueries.sources[index]
    let comparison = try RandomSubqueries.comparison(seeds: 2, transactions: 3) {
      ($0.groupedQuery(over: source), [])
    }
    #expect(comparison.queries > 3, "\(source.sql): \(comparison)")
    #expect(comparison.patches >= comparison.runs * 3, "\(source.sql): \(comparison)")
  }

  @Test(arguments: RandomSubqueries.sources.indices)
  func `a change of a joined table touches only the groups that it leads to`(index: Int) throws {
    let source = RandomSubqueries.sources[index]
    try withDatabase { db throws in
      var queries = RandomSubqueries(seed: 3)
      try queries.makeTables(db)
      let condition = source.condition.map { " WHERE \($0)" } ?? ""
      let sql = "SELECT a.id, count(*) FROM \(source.sql)\(condition) GROUP BY a.id"
      let plan = try PatchAnalysis.plan(for: try db.makeStatement(sql: sql))
      let inner = Set(
        ["d", "p", "q"].filter { name in
          [" ON", " AS"].contains { source.sql.contains(" \(name)\($0)") }
        }
      )
      let followed = Set(plan.inputs.tables.map(\.name)).subtracting(["a"])
      #expect((inner == followed) == source.isFollowed, "\(plan.inputs)")
    }
  }

  // MARK: Observations

  private let directory = TemporaryDirectory()

  private func pool() throws -> DatabasePool {
    var configuration = Configuration()
    configuration.patchingThreshold = 0
    let pool = try DatabasePool(path: directory.file(), configuration: configuration)
    try pool.write { db in
      try db.execute(
        sql: """
          CREATE TABLE team (id INTEGER PRIMARY KEY, name TEXT);
          CREATE TABLE player (id INTEGER PRIMARY KEY, teamID INTEGER, score INTEGER);
          CREATE INDEX playerOnTeam ON player (teamID);
          WITH n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 20)
          INSERT INTO team SELECT n, 't' || n FROM n;
          WITH n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 60)
          INSERT INTO player SELECT n, iif(n % 9 = 0, NULL, n % 17), n FROM n;
          """
      )
    }
    return pool
  }

  private static let changes = [
    "UPDATE player SET teamID = 3 WHERE id IN (1, 7)", "DELETE FROM player WHERE teamID = 4",
    "INSERT INTO player VALUES (100, 19, 5), (101, NULL, 6)",
    "UPDATE player SET score = 1 WHERE id = 5",
    "DELETE FROM team WHERE id = 3", "INSERT INTO team VALUES (3, 'back')",
    "UPDATE team SET id = 40 WHERE id = 1; UPDATE player SET teamID = 40 WHERE id = 6",
    "UPDATE player SET teamID = teamID + 1 WHERE id < 9", "DELETE FROM player WHERE teamID IS NULL",
    "UPDATE OR REPLACE player SET id = 30, teamID = 2 WHERE id = 31",
  ]

  static let queries: [String] = [
    "SELECT *, (SELECT count(*) FROM player WHERE teamID = team.id) AS players FROM team",
    """
    SELECT *, (SELECT sum(score) FROM player WHERE teamID = team.id) AS total FROM team
    ORDER BY total DESC LIMIT 5
    """,
    "SELECT * FROM team WHERE EXISTS (SELECT * FROM player WHERE teamID = team.id AND score > 20)",
    "SELECT * FROM team WHERE id NOT IN (SELECT teamID FROM player WHERE teamID IS NOT NULL)",
    "SELECT * FROM player WHERE teamID IN (SELECT id FROM team WHERE name > 't15')",
    "SELECT * FROM player WHERE score > (SELECT count(*) FROM team)",
    "SELECT id, (SELECT name FROM team WHERE team.id = player.teamID) AS team FROM player",
    """
    SELECT team.*, count(player.id) AS players, max(score) FROM team
    LEFT JOIN player ON player.teamID = team.id GROUP BY team.id ORDER BY players DESC
    """,
    """
    SELECT name, sum(score) FROM team JOIN player ON player.teamID = team.id
    GROUP BY team.id HAVING sum(score) > 20
    """,
    "SELECT count(*) FROM team WHERE NOT EXISTS (SELECT * FROM player WHERE teamID = team.id)",
  ]

  @Test(arguments: queries.indices, [false, true])
  func `observed queries with subqueries are patched`(query: Int, isForeign: Bool) async throws {
    let pool = try pool()
    let request = SQLRequest<Row>(sql: Self.queries[query])
    let observation = try await FollowedObservation(of: request, in: pool, path: directory.file())
    let runs = try await observation.commit(Self.changes, isForeign: isForeign)
    #expect(runs.patches > 0)
    // A window that has lost many rows is fetched again, and all rows of a table are read after
    // some foreign commits.
    #expect(runs.refetches <= 4)
  }
}
