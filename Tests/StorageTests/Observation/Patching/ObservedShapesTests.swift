import TestSupport
import Testing
import WellspringSystem

@testable import Storage
@testable import StorageTestSupport

/// Random queries of the shapes that are patched, observed while a pool and a connection that the
/// library does not know commit.
@Suite("Observed shapes") struct ObservedShapesTests {
  private let directory = TemporaryDirectory()

  @Test func `joins have the values of fresh runs`() async throws {
    try await observe { (random: inout RandomJoins) in
      let source = random.generator.pick(RandomJoins.sources)!
      return random.generator.chance(25)
        ? random.numberQuery(over: source) : random.query(over: source)
    }
  }

  @Test func `subqueries and groups by a row id have the values of fresh runs`() async throws {
    try await observe { (random: inout RandomSubqueries) in
      let condition = random.generator.pick(RandomSubqueries.conditions)!
      let sql =
        switch random.generator.number(in: 0..<4) {
        case 0: random.query(withValue: random.generator.pick(RandomSubqueries.values)!)
        case 1: random.query(where: condition)
        case 2: random.numberQuery(where: condition)
        default: random.groupedQuery(over: random.generator.pick(RandomSubqueries.sources)!)
        }
      return (sql, [])
    }
  }

  @Test func `other groups and different rows have the values of fresh runs`() async throws {
    try await observe { (random: inout RandomGroups) in
      let source = random.generator.pick(RandomGroups.sources)!
      let key = random.generator.pick(source.keys)!
      let isDistinct = random.generator.chance(25)
      let sql =
        isDistinct ? random.distinctQuery(over: source) : random.query(over: source, by: key)
      return (sql, [])
    }
  }

  @Test func `views and subqueries in the FROM have the values of fresh runs`() async throws {
    try await observe { (random: inout RandomViews) in
      let source = random.generator.pick(RandomViews.sources)!
      return random.generator.chance(25)
        ? random.numberQuery(over: source) : random.query(over: source)
    }
  }

  // MARK: Observations

  /// Commits random transactions, and compares the values of some queries after each.
  private func observe<Random: RandomDatabase & Sendable>(
    _ makeQuery: (inout Random) -> (sql: String, arguments: [DatabaseValue])
  ) async throws {
    var (patches, foreignPatches) = (0, 0)
    for seed in Soak.seeds(12, inSuite: 2) {
      let path = directory.file("\(seed).sqlite")
      let pool = try DatabasePool(path: path, configuration: .patching)
      let shared = Lock(Random(seed: seed))
      try await pool.write { db in
        var random = shared.withLock { $0 }
        try random.makeTables(db)
        shared.withLock { [random] in $0 = random }
      }
      let followed = try await followedQueries(in: pool) {
        var random = shared.withLock { $0 }
        defer { shared.withLock { [random] in $0 = random } }
        return makeQuery(&random)
      }
      let foreign = try Database(path: path, configuration: Configuration(), role: .writer)
      for step in 0..<Soak.size(1000, inSuite: 20) {
        let isForeign = shared.withLock { $0.generator.chance(40) }
        let before = pool.observationStatistics.patches
        if isForeign {
          foreign.beginAccess(.write)
          try Self.commit(shared, foreign)
          foreign.endAccess()
        } else {
          try await pool.writeWithoutTransaction { db in try Self.commit(shared, db) }
        }
        try await pool.quiesce()
        let count = pool.observationStatistics.patches - before
        patches += count
        if isForeign { foreignPatches += count }
        for query in followed {
          let fresh = try await pool.read { db in try query.fresh(db) }
          guard query.last == fresh else {
            Issue.record("seed \(seed), step \(step): \(query.request): \(query.last) != \(fresh)")
            return
          }
        }
      }
      for query in followed { query.cancel() }
      foreign.close()
    }
    #expect(patches > 40)
    #expect(foreignPatches > 5)
  }

  private func followedQueries(
    in pool: DatabasePool,
    _ makeQuery: () -> (sql: String, arguments: [DatabaseValue])
  ) async throws -> [FollowedRequest] {
    var followed: [FollowedRequest] = []
    while followed.count < 6 {
      let (sql, values) = makeQuery()
      // A random name may be ambiguous.
      let isValid = try await pool.read { db in (try? db.makeStatement(sql: sql)) != nil }
      guard isValid else { continue }
      let arguments = StatementArguments(values: values, namedValues: [:])
      followed.append(FollowedRequest(SQLRequest<Row>(sql: sql, arguments: arguments), in: pool))
    }
    return followed
  }

  /// Commits a random transaction, or rolls it back.
  private static func commit(_ shared: Lock<some RandomDatabase & Sendable>, _ db: Database) throws
  {
    var random = shared.withLock { $0 }
    try db.execute(sql: "BEGIN IMMEDIATE")
    random.transaction(db)
    let isRolledBack = random.generator.chance(10)
    try db.execute(sql: isRolledBack ? "ROLLBACK" : "COMMIT")
    shared.withLock { [random] in $0 = random }
  }
}
