import Testing
import TestSupport
import WellspringSystem

@testable import Storage
@testable import StorageTestSupport

/// A patched result of joined tables equals a fresh run of the query, ties included.
@Suite("Patched joins") struct PatchedJoinTests {
  private func check(_ comparison: PatchComparison, of source: RandomJoins.Source, more: Int) {
    // Random conditions make joins of the other sources, too, such that are patched.
    #expect(comparison.queries > more || !source.isPatched, "\(source.sql): \(comparison)")
    #expect(comparison.patches >= comparison.runs * 3, "\(source.sql): \(comparison)")
  }

  @Test(arguments: RandomJoins.sources.indices)
  func `a patched join equals a fresh run after each random transaction`(source: Int) throws {
    let source = RandomJoins.sources[source]
    let comparison = try RandomJoins.comparison(seeds: 3, transactions: 4) {
      $0.query(over: source)
    }
    check(comparison, of: source, more: 3)
  }

  @Test(arguments: RandomJoins.sources.indices)
  func `a patched number of joined rows equals a fresh one`(source: Int) throws {
    let source = RandomJoins.sources[source]
    let comparison = try RandomJoins.comparison(seeds: 2, transactions: 4, .number) {
      $0.numberQuery(over: source)
    }
    check(comparison, of: source, more: 2)
  }

  // MARK: Observations

  private static let team = Player.belongsTo(Team.self, using: ForeignKey(["teamID"]))

  private func pool() throws -> DatabasePool {
    var configuration = Configuration()
    configuration.patchingThreshold = 0
    configuration.foreignKeysEnabled = false
    let pool = try DatabasePool(path: directory.file(), configuration: configuration)
    try pool.write { db in
      try db.execute(sql: League.schema)
      for id in 1...4 { try Team(id: Int64(id), name: "t\(id)", color: nil).insert(db) }
      for id in 1...12 {
        let team = id % 5 == 0 ? nil : Int64(id % 5)
        try Player(id: Int64(id), teamID: team, name: "p\(id)", email: nil, score: id).insert(db)
      }
    }
    return pool
  }

  private let directory = TemporaryDirectory()

  private static let changes = [
    "UPDATE team SET name = 'new' WHERE id = 2", "UPDATE player SET teamID = 3 WHERE id IN (1, 7)",
    "INSERT INTO player (id, teamID, name, score) VALUES (20, 4, 'late', 3)",
    "DELETE FROM team WHERE id = 3", "INSERT INTO team VALUES (3, 'back', 'red')",
    "UPDATE team SET id = 9 WHERE id = 1; UPDATE player SET teamID = 9 WHERE id = 6",
    "UPDATE player SET score = 50 - score", "DELETE FROM player WHERE id < 3",
  ]

  /// Requests with joined records, and whether they are windows.
  static let requests: [(request: QueryInterfaceRequest<Player>, isWindow: Bool)] = [
    (Player.including(required: team), false),
    (Player.including(optional: team), false),
    (Player.joining(required: team.filter(Column("name") != "t2")), false),
    (Player.annotated(withRequired: team.select(Column("color"))), false),
    (
      Player.including(required: team.order(Column("name").desc)).order(Column("score").desc),
      false
    ),
    (Player.including(optional: team).order(Column("score").desc).limit(5), true),
    (Player.including(required: team.filter(Column("name") != "t2")), false),
    (Player.including(required: team).filter(Column("score") > 4).limit(3, offset: 2), true),
  ]

  @Test(arguments: requests.indices, [false, true])
  func `requests with joined records are patched`(request: Int, isForeign: Bool) async throws {
    let pool = try pool()
    let (players, isWindow) = Self.requests[request]
    let request = players.asRequest(of: Row.self)
    let count = Lock(-1)
    let counting = ValueObservation.trackingCount(players).start(in: pool, scheduling: .async) {
      Issue.record($0)
    } onChange: { number in
      count.withLock { $0 = number }
    }
    let observation = try await FollowedObservation(of: request, in: pool, path: directory.file())
    let obstacle = isWindow ? "counts the rows of a window" : nil
    #expect(counting.explain()?.patchObstacle == obstacle)
    let runs = try await observation.commit(Self.changes, isForeign: isForeign) { sql in
      let fresh = try await pool.read { db in try request.fetchAll(db).count }
      #expect(count.withLock { $0 } == fresh, "after \(sql)")
    }
    // A window that has lost many rows is fetched again.
    #expect(runs.refetches <= 4 + (isWindow ? Self.changes.count : 0))
    #expect(runs.patches >= 4)
    counting.cancel()
  }

  private static let players = Team.hasMany(Player.self, using: ForeignKey(["teamID"]))

  /// Requests with aggregates of associated records.
  static let aggregates: [QueryInterfaceRequest<Team>] = [
    Team.annotated(with: players.count),
    Team.having(players.isEmpty),
    Team.having(players.count > 1).order(Column("name").desc),
    Team.annotated(with: players.max(Column("score")), players.sum(Column("score"))).limit(3),
    Team.annotated(with: players.filter(Column("score") > 3).average(Column("score"))),
  ]

  @Test(arguments: aggregates.indices, [false, true])
  func `requests with aggregates of other tables are patched`(
    request: Int,
    isForeign: Bool
  ) async throws {
    let pool = try pool()
    try await pool.write { db in try db.execute(sql: "CREATE INDEX onTeam ON player (teamID)") }
    let request = Self.aggregates[request].asRequest(of: Row.self)
    let observation = try await FollowedObservation(of: request, in: pool, path: directory.file())
    let runs = try await observation.commit(Self.changes, isForeign: isForeign)
    #expect(runs.refetches <= 4)
    #expect(runs.patches > 0)
  }

  @Test func `a join is explained, and takes at most 24 bytes a row and table`() async throws {
    let pool = try pool()
    try await pool.write { db in
      try db.execute(
        sql: """
          WITH RECURSIVE n (n) AS (SELECT 100 UNION ALL SELECT n + 1 FROM n WHERE n < 1999)
          INSERT INTO player (id, teamID, name) SELECT n, n % 4 + 1, 'many' FROM n
          """
      )
    }
    let sql = "SELECT p.name, t.name AS team FROM player p JOIN team t ON t.id = p.teamID"
    let observation = ValueObservation.tracking(SQLRequest<Row>(sql: sql))
      .start(in: pool, scheduling: .async) {
        Issue.record($0)
      } onChange: { _ in
      }
    try await pool.quiesce()
    let explanation = try #require(observation.explain())
    #expect(explanation.isPatched)
    #expect((16 * 1900...48 * 1920).contains(pool.observationStatistics.patchMemory))
    observation.cancel()
    let other = ValueObservation.tracking(
      SQLRequest<Row>(sql: sql.replacing("p.teamID", with: "p.id OR 1"))
    )
    .start(in: pool, scheduling: .async) {
      Issue.record($0)
    } onChange: { _ in
    }
    try await pool.quiesce()
    #expect(
      other.explain()?.patchObstacle == "joins several rows of a table with one row of another"
    )
    other.cancel()
  }
}
