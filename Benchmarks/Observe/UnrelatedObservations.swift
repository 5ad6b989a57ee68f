internal import Dispatch
internal import Storage

/// What observations cost a write that they are not about.
enum UnrelatedObservations {
  private static let tableCount = 100
  private static let observationsPerTable = 100

  static let benchmarks = [
    Benchmark(
      .observe,
      "Write one row beside 10,000 observations of other tables (C: ours, with none)",
      pieces: Counter.transactionCount,
      limit: 1.2,
      prepare: contest
    )
  ]

  /// Both sides are ours.
  @Sendable
  private static func contest(in workspace: Workspace) throws -> Contest {
    let observedPath = try workspace.makeDatabase("observed", fill: fill)
    let quietPath = try workspace.makeDatabase("quiet", fill: fill)
    let observed = try DatabasePool(benchmarking: observedPath)
    let quiet = try DatabasePool(benchmarking: quietPath)
    let observations = try startObservations(in: observed)
    return Contest(
      ours: side(observed, keeping: observations),
      baseline: side(quiet, keeping: [])
    )
  }

  private static func fill(_ db: RawConnection) throws {
    try db.execute(Counter.creation)
    for table in 0..<tableCount {
      try db.execute("CREATE TABLE other\(table) AS SELECT id, value FROM counter")
    }
  }

  /// Starts all observations, and waits for their first values.
  private static func startObservations(in pool: DatabasePool) throws -> [AnyDatabaseCancellable] {
    let arrived = DispatchSemaphore(value: 0)
    let observations = (0..<tableCount * observationsPerTable).map { number in
      let sql = "SELECT count(*) FROM other\(number % tableCount) WHERE value > ?"
      let observation = ValueObservation.tracking { db in
        try Int.fetchOne(db, sql: sql, arguments: [number / tableCount]) ?? 0
      }
      return observation.start(
        in: pool,
        onError: { fatalError("An observation failed: \($0)") },
        onChange: { _ in arrived.signal() }
      )
    }
    for _ in observations {
      guard arrived.wait(timeout: .now() + 60) == .success else {
        throw Overdue(what: "the first value of an observation")
      }
    }
    return observations
  }

  private static func side(
    _ pool: DatabasePool,
    keeping observations: [AnyDatabaseCancellable]
  ) -> Side {
    Side(
      setUp: pool.emptyWAL,
      work: {
        for _ in 0..<Counter.transactionCount {
          try pool.write { try $0.execute(sql: Counter.raising, arguments: [1, 0]) }
        }
      },
      checksum: { try withExtendedLifetime(observations) { try pool.counterSum() } }
    )
  }
}
