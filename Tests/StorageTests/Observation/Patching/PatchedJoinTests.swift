import Testing
import TestSupport
import WellspringPlatform

@testable import Storage
@testable import StorageTestSupport

/// A patched result of joined tables equals a fresh run of the query, ties included.
@Suite("Patched joins") struct PatchedJoinTests {
  /// Calls a body with random tables, queries and what changes them, for several seeds.
  private func forEachSeed(
    _ body: (inout RandomJoins, Database, RecordedRows) throws -> Bool
  ) throws {
    for seed in Soak.seeds(60, inSuite: 6) {
      var joins = RandomJoins(seed: seed)
      try withDatabase { db throws in
        try joins.makeTables(db)
        let recorded = try RecordedRows(of: "a", "b", "c", in: db)
        defer { recorded.end() }
        for _ in 0..<6 {
          guard try body(&joins, db, recorded) else {
            Issue.record("seed \(seed)")
            return
          }
        }
      }
    }
  }

  @Test(arguments: RandomJoins.sources.indices)
  func `a patched join equals a fresh run after each random transaction`(source: Int) throws {
    let source = RandomJoins.sources[source]
    var comparison = PatchComparison()
    try forEachSeed { joins, db, recorded in
      let (sql, values) = joins.query(over: source)
      let count = Soak.size(300, inSuite: 20)
      return try comparison.followRows(of: sql, values, db, count: count) {
        recorded.rows { joins.transaction(db) }
      }
    }
    // Random conditions make joins of the other sources, too, such that are patched.
    #expect(comparison.queries > 3 || !source.isPatched, "\(source.sql): \(comparison)")
    #expect(comparison.patches >= comparison.runs * 3, "\(source.sql): \(comparison)")
  }

  @Test(arguments: RandomJoins.sources.indices)
  func `a patched number of joined rows equals a fresh one`(source: Int) throws {
    let source = RandomJoins.sources[source]
    var comparison = PatchComparison()
    try forEachSeed { joins, db, recorded in
      let (sql, values) = joins.numberQuery(over: source)
      let count = Soak.size(300, inSuite: 20)
      return try comparison.followNumber(of: sql, values, db, count: count) {
        recorded.rows { joins.transaction(db) }
      }
    }
    #expect(comparison.queries > 2 || !source.isPatched, "\(source.sql): \(comparison)")
    #expect(comparison.patches >= comparison.runs * 3, "\(source.sql): \(comparison)")
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
    let (last, count) = (Lock<[Row]>([]), Lock(-1))
    let counting = ValueObservation.trackingCount(players).start(in: pool, scheduling: .async) {
      Issue.record($0)
    } onChange: { number in
      count.withLock { $0 = number }
    }
    let observation = ValueObservation.tracking(request).start(in: pool, scheduling: .async) {
      Issue.record($0)
    } onChange: { rows in
      last.withLock { $0 = rows }
    }
    try await pool.quiesce()
    #expect(observation.explain()?.patchObstacle == nil)
    let obstacle = isWindow ? "counts the rows of a window" : nil
    #expect(counting.explain()?.patchObstacle == obstacle)
    let before = pool.observationStatistics
    for sql in Self.changes {
      if isForeign {
        try SQLiteShell.run(directory.file(), "PRAGMA busy_timeout = 5000; BEGIN; \(sql); COMMIT")
      } else {
        try await pool.write { db in try db.execute(sql: sql) }
      }
      try await pool.quiesce()
      let fresh = try await pool.read { db in try request.fetchAll(db) }
      #expect(last.withLock { $0 } == fresh, "after \(sql)")
      #expect(count.withLock { $0 } == fresh.count, "after \(sql)")
    }
    let after = pool.observationStatistics
    // A window that has lost many rows is fetched again.
    #expect(after.refetches - before.refetches <= 4 + (isWindow ? Self.changes.count : 0))
    #expect(after.patches - before.patches >= 4)
    observation.cancel()
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
    let last = Lock<[Row]>([])
    let observation = ValueObservation.tracking(request).start(in: pool, scheduling: .async) {
      Issue.record($0)
    } onChange: { rows in
      last.withLock { $0 = rows }
    }
    try await pool.quiesce()
    #expect(observation.explain()?.patchObstacle == nil)
    let before = pool.observationStatistics
    for sql in Self.changes {
      if isForeign {
        try SQLiteShell.run(directory.file(), "PRAGMA busy_timeout = 5000; BEGIN; \(sql); COMMIT")
      } else {
        try await pool.write { db in try db.execute(sql: sql) }
      }
      try await pool.quiesce()
      let fresh = try await pool.read { db in try request.fetchAll(db) }
      #expect(last.withLock { $0 } == fresh, "after \(sql)")
    }
    let after = pool.observationStatistics
    #expect(after.refetches - before.refetches <= 4)
    #expect(after.patches > before.patches)
    observation.cancel()
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
