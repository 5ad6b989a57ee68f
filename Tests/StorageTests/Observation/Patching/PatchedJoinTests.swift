import Testing
import TestSupport
import WellspringPlatform

@testable import Storage
@testable import StorageTestSupport

/// A patched result of joined tables equals a fresh run of the query, ties included.
@Suite("Patched joins") struct PatchedJoinTests {
  @Test(arguments: RandomJoins.sources.indices)
  func `a patched join equals a fresh run after each random transaction`(source: Int) throws {
    var statistics = (plans: 0, patches: 0, runs: 0)
    let source = RandomJoins.sources[source]
    for seed in Soak.seeds(60, inSuite: 6) {
      var joins = RandomJoins(seed: seed)
      try withDatabase { db throws in
        try joins.makeTables(db)
        let recorded = try RecordedRows(of: "a", "b", "c", in: db)
        defer { recorded.end() }
        for _ in 0..<6 {
          let (sql, arguments) = joins.query(over: source)
          let statement = try db.makeStatement(sql: sql)
          try statement.setArguments(StatementArguments(values: arguments, namedValues: [:]))
          guard let plan = try? PatchAnalysis.plan(for: statement) else { continue }
          statistics.plans += 1
          func whole() throws -> PatchedResult<Row> {
            try PatchedResult(plan, arguments, db, adapter: nil) { $0.copy() }
          }
          var result = try whole()
          for _ in 0..<Soak.size(300, inSuite: 20) {
            let changed = try #require(recorded.rows { joins.transaction(db) })
            let patch = try? result.patch(changed: changed, db, adapter: nil) { $0.copy() }
            statistics.patches += patch == nil ? 0 : 1
            statistics.runs += patch == nil ? 1 : 0
            if patch == nil { result = try whole() }
            let fresh = try Row.fetchAll(
              db,
              sql: sql,
              arguments: StatementArguments(values: arguments, namedValues: [:])
            )
            guard result.elements == fresh else {
              Issue.record("seed \(seed): \(sql) \(arguments): \(result.elements) != \(fresh)")
              return
            }
          }
        }
      }
    }
    // Random conditions make other joins such that are patched.
    #expect(statistics.plans > 3 || !source.isPatched, "\(source.sql): \(statistics)")
    #expect(statistics.patches >= statistics.runs * 3, "\(statistics)")
  }

  @Test(arguments: RandomJoins.sources.indices)
  func `a patched number of joined rows equals a fresh one`(source: Int) throws {
    var statistics = (results: 0, patches: 0, runs: 0)
    let source = RandomJoins.sources[source]
    for seed in Soak.seeds(60, inSuite: 6) {
      var joins = RandomJoins(seed: seed + 1000)
      try withDatabase { db throws in
        try joins.makeTables(db)
        let recorded = try RecordedRows(of: "a", "b", "c", in: db)
        defer { recorded.end() }
        for _ in 0..<4 {
          let (sql, values) = joins.numberQuery(over: source)
          let arguments = StatementArguments(values: values, namedValues: [:])
          let statement = try db.makeStatement(sql: sql)
          try statement.setArguments(arguments)
          let query = try #require(try NumberQuery(sql))
          guard var result = try? NumberResult(query, statement, db) else { continue }
          statistics.results += 1
          for _ in 0..<Soak.size(300, inSuite: 20) {
            let changed = try #require(recorded.rows { joins.transaction(db) })
            var number = 0
            if let patch = try? result.patch(changed: changed, db) {
              statistics.patches += 1
              result.result.rows.apply(patch.difference)
              number = patch.number
            } else {
              statistics.runs += 1
              result = try #require(try NumberResult(query, statement, db))
              number = result.number
            }
            let patched = try result.element(of: number, db, adapter: nil) { $0.copy() }
            let fresh = try Row.fetchOne(db, sql: sql, arguments: arguments)
            guard patched == fresh else {
              Issue.record("seed \(seed): \(sql) \(values): \(patched) != \(fresh!)")
              return
            }
          }
        }
      }
    }
    #expect(statistics.results > 2 || !source.isPatched, "\(source.sql): \(statistics)")
    #expect(statistics.patches >= statistics.runs * 3, "\(statistics)")
  }

  // MARK: Observations

  /// A player with a team, as an association fetches them.
  private struct Member: Codable, Equatable, Sendable, FetchableRecord {
    var player: Player
    var team: Team?
  }

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

  static let requests: [QueryInterfaceRequest<Player>] = [
    Player.including(required: team), Player.including(optional: team),
    Player.including(required: team.order(Column("name").desc)).order(Column("score").desc),
    Player.including(optional: team).order(Column("score").desc).limit(5),
    Player.including(required: team.filter(Column("name") != "t2")),
    Player.including(required: team).filter(Column("score") > 4).limit(3, offset: 2),
  ]

  @Test(arguments: requests.indices, [false, true])
  func `requests with joined records are patched`(request: Int, isForeign: Bool) async throws {
    let pool = try pool()
    let players = Self.requests[request]
    let request = players.asRequest(of: Member.self)
    let (last, count) = (Lock<[Member]>([]), Lock(-1))
    let counting = ValueObservation.trackingCount(players).start(in: pool, scheduling: .async) {
      Issue.record($0)
    } onChange: { number in
      count.withLock { $0 = number }
    }
    let observation = ValueObservation.tracking(request).start(in: pool, scheduling: .async) {
      Issue.record($0)
    } onChange: { members in
      last.withLock { $0 = members }
    }
    try await pool.quiesce()
    #expect(observation.explain()?.patchObstacle == nil)
    let isWindow = counting.explain()?.patchObstacle == "counts the rows of a window"
    #expect(isWindow || counting.explain()?.patchObstacle == nil)
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
