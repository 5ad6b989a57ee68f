internal import Dispatch
internal import Storage

/// The cost of observations for a write that does not affect them.
enum UnrelatedObservations {
  private static let observationCount = 10_000
  private static let tableCount = 100

  static let benchmarks = [
    Benchmark(
      .observe,
      "Write one row beside 10,000 observations of other tables (C: ours, with none)",
      operations: Counter.transactionCount,
      limit: 1.1,
      prepare: { workspace in try contest(in: workspace, observing: otherTables) }
    ),
    Benchmark(
      .observe,
      "Write one row beside 100,000 observations of other tables (C: ours, with none)",
      operations: Counter.transactionCount,
      limit: 1.2,
      prepare: { workspace in
        try contest(in: workspace, count: 100_000, observing: otherTables)
      }
    ),
    Benchmark(
      .observe,
      "Write one row beside 10,000 observations of other rows of its table (C: ours, with none)",
      operations: Counter.transactionCount,
      limit: 1.15,
      prepare: { workspace in
        try contest(in: workspace) { number in (Counter.selection, Counter.count + number) }
      }
    ),
  ]

  /// The numbers of observations for the figure that shows the cost of a commit beside them.
  static let scale = [1, 10, 100, 1_000, 10_000, 100_000].map { count in
    Benchmark(
      .scale,
      "Write one row beside \(count) observations of other rows of its table (C: ours, with none)",
      operations: Counter.transactionCount,
      limit: 1.3,
      prepare: { workspace in
        try contest(in: workspace, count: count) { number in
          (Counter.selection, Counter.count + number)
        }
      }
    )
  }

  private static func otherTables(_ number: Int) -> (sql: String, argument: Int) {
    ("SELECT count(*) FROM other\(number % tableCount) WHERE value > ?", number / tableCount)
  }

  /// Creates a contest whose sides both use this library.
  private static func contest(
    in workspace: Workspace,
    count: Int = observationCount,
    observing query: (_ number: Int) -> (sql: String, argument: Int)
  ) throws -> Contest {
    let observedPath = try workspace.makeDatabase("observed") { try fill($0, count) }
    let quietPath = try workspace.makeDatabase("quiet") { try fill($0, count) }
    let observed = try DatabasePool(benchmarking: observedPath)
    let quiet = try DatabasePool(benchmarking: quietPath)
    let observations = try (0..<count).map(query).startAll(in: observed)
    return Contest(
      ours: side(observed, keeping: observations),
      baseline: side(quiet, keeping: [])
    )
  }

  private static func fill(_ db: RawConnection, _ count: Int) throws {
    try db.execute(Counter.creation)
    for table in 0..<tableCount {
      try db.execute("CREATE TABLE other\(table) AS SELECT id, value FROM counter")
    }
    try db.execute(
      """
      WITH RECURSIVE number (n) AS (
        SELECT \(Counter.count) UNION ALL
        SELECT n + 1 FROM number WHERE n + 1 < \(Counter.count + count)
      )
      INSERT INTO counter SELECT n, 0 FROM number
      """
    )
  }

  private static func side(
    _ pool: DatabasePool,
    keeping observations: [AnyDatabaseCancellable]
  ) -> Side {
    Side(
      setUp: pool.emptyWAL,
      work: {
        for _ in 0..<Counter.transactionCount {
          try pool.write { try $0.execute(sql: Counter.increment, arguments: [1, 0]) }
        }
      },
      checksum: { try withExtendedLifetime(observations) { try pool.counterSum() } }
    )
  }
}

extension [(sql: String, argument: Int)] {
  /// Starts an observation of each query, and waits for their first values.
  fileprivate func startAll(in pool: DatabasePool) throws -> [AnyDatabaseCancellable] {
    let arrived = DispatchSemaphore(value: 0)
    let observations = map { sql, argument in
      let observation = ValueObservation.tracking { db in
        try Int.fetchOne(db, sql: sql, arguments: [argument]) ?? 0
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
}
