import Foundation
@testable import Storage
import StorageTestSupport
import TestSupport
import Testing
import WellspringSystem

/// Random statements over random tables: no commit that changes the result of a statement is
/// missed, whichever values the library assumes that the statement searches for.
///
/// `make soak` runs more of them. `WELLSPRING_SEED` sets the first seed.
@Suite struct RandomConditionTests {
  @Test(arguments: Soak.seeds(400, inSuite: 2))
  func `soak: random statements equal a fresh run after each commit`(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    var conditions = RandomConditions(&random)
    let directory = TemporaryDirectory()
    // With every second seed, the requests are patched as soon as they can be.
    var configuration = Configuration()
    if seed.isMultiple(of: 2) { configuration.patchingThreshold = 0 }
    let pool = try DatabasePool(path: directory.file(), configuration: configuration)
    let schema = conditions.schema
    try await pool.write { db in
      for sql in schema { try db.execute(sql: sql) }
    }
    var requests: [SQLRequest<Row>] = []
    for _ in 0..<40 {
      let query = conditions.query(&random)
      requests.append(
        SQLRequest(sql: query.sql, arguments: StatementArguments(query.arguments))
      )
    }
    let all = requests
    @Sendable func fetch(_ db: Database, _ index: Int) -> [Row]? {
      try? all[index].fetchAll(db)
    }
    let seen = Lock([[Row]?](repeating: nil, count: all.count))
    var cancellables: [AnyDatabaseCancellable] = []
    for index in all.indices {
      // A closure may find other bounds in each run. A request may be patched.
      let observation: ValueObservation<[Row]?> =
        index.isMultiple(of: 3)
        ? .tracking { fetch($0, index) }
        : ValueObservation.tracking(AllElements(all[index])).map { $0 }
      cancellables.append(
        observation.start(in: pool, onError: { _ in seen.withLock { $0[index] = nil } }) { rows in
          seen.withLock { $0[index] = rows }
        }
      )
    }
    try await pool.quiesce()
    for step in 0..<60 {
      let changes = (0..<Int.random(in: 1...2, using: &random)).map { _ in
        conditions.change(&random)
      }
      try await pool.write { db in
        for change in changes {
          // It may violate a constraint.
          try? db.execute(sql: change.sql, arguments: StatementArguments(change.arguments))
        }
      }
      try await pool.quiesce()
      let expected = try await pool.read { db in all.indices.map { fetch(db, $0) } }
      let values = seen.withLock { $0 }
      for index in all.indices where values[index] != expected[index] {
        Issue.record(
          """
          seed \(seed), step \(step): \(all[index]) has \(values[index] ?? []), not \
          \(expected[index] ?? [])
          after \(changes)
          \(schema.joined(separator: "\n"))
          """
        )
        return
      }
    }
    withExtendedLifetime(cancellables) {}
  }
}
