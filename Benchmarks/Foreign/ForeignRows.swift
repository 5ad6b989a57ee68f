internal import Dispatch
internal import Storage

/// The cost of a commit outside of the library beside many observations.
enum ForeignRows {
  private static let commitCount = 50
  private static let manyObservations = 10_000

  static let benchmarks = [
    Benchmark(
      .foreign,
      "Foreign commit to another table, beside 10,000 observed rows, CPU (baseline: beside one)",
      operations: commitCount,
      limit: 1.5,
      prepare: { try contest(in: $0, table: "other") }
    ),
    Benchmark(
      .foreign,
      "Foreign commit to one of 10,000 rows, each observed alone, CPU (baseline: beside one)",
      operations: commitCount,
      limit: 2,
      prepare: { try contest(in: $0, table: "item") }
    ),
    Benchmark(
      .foreign,
      "Deliver a foreign change of one row in 200,000, by text (baseline: run the query)",
      limit: 0.05,
      prepare: { try patchContest(in: $0, changing: 777) }
    ),
    Benchmark(
      .foreign,
      "Deliver a foreign change of one row in a million, as changes (baseline: run the query)",
      limit: 0.05,
      prepare: { try patchContest(in: $0, rows: 1_000_000, changing: 777) }
    ),
    Benchmark(
      .foreign,
      "Read a foreign change of a row beside a result of 200,000 (baseline: run the query)",
      limit: 0.005,
      prepare: { try patchContest(in: $0, changing: rejected) }
    ),
    Benchmark(
      .foreign,
      "Foreign transaction of a million rows, observed, CPU (baseline: it, and run the query)",
      limit: 1.2,
      prepare: { try transactionContest(in: $0, rows: 1_000_000) }
    ),
  ]

  static func fill(_ db: RawConnection, rows: Int) throws {
    for table in ["item", "other"] {
      try db.execute(
        """
        CREATE TABLE \(table) (id INTEGER PRIMARY KEY, name TEXT, value INTEGER NOT NULL);
        WITH RECURSIVE n (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n WHERE n + 1 < \(rows))
        INSERT INTO \(table) SELECT n, 'item ' || n * 7919 % \(rows), 0 FROM n
        """
      )
    }
  }

  private static func contest(in workspace: Workspace, table: String) throws -> Contest {
    Contest(
      ours: try side(in: workspace, "many", observing: manyObservations, table),
      baseline: try side(in: workspace, "one", observing: 1, table)
    )
  }

  private static func side(
    in workspace: Workspace,
    _ name: String,
    observing count: Int,
    _ table: String
  ) throws -> Side {
    let path = try workspace.makeDatabase(name) { try fill($0, rows: manyObservations + 200) }
    let pool = try DatabasePool(benchmarking: path)
    let writer = try RawConnection(path: path)
    let arrived = DispatchSemaphore(value: 0)
    func observe(_ table: String, _ id: Int, _ signals: Bool) -> AnyDatabaseCancellable {
      ValueObservation.tracking { db in
        try Int.fetchOne(db, sql: "SELECT value FROM \(table) WHERE id = ?", arguments: [id])
      }.start(
        in: pool,
        onError: { fatalError("An observation failed: \($0)") },
        onChange: { _ in if signals { arrived.signal() } }
      )
    }
    // The first observation reads the row that changes.
    var observations = [observe(table, 77, true)]
    for id in 1..<max(count, 1) { observations.append(observe("item", id + 100, false)) }
    try pool.quiesce()
    arrived.wait()
    return Side {
      let start = Duration.processorTime
      for _ in 0..<commitCount {
        try writer.execute("UPDATE \(table) SET value = value + 1 WHERE id = 77")
        guard arrived.wait(timeout: .now() + 60) == .success else {
          throw Overdue(what: "the value of an observation")
        }
      }
      return withExtendedLifetime(observations) { (.processorTime - start, 0) }
    }
  }

  /// The row that is not among the results.
  private static let rejected = 778

  private static func patchContest(
    in workspace: Workspace,
    rows: Int = 200_000,
    changing id: Int
  ) throws -> Contest {
    let path = try workspace.makeDatabase("patched") { db in
      try fill(db, rows: rows)
      try db.execute("UPDATE item SET value = -1000000 WHERE id = \(rejected)")
    }
    let pool = try DatabasePool(benchmarking: path)
    let writer = try RawConnection(path: path)
    let request = SQLRequest<Entry>(
      sql: "SELECT id, name, value FROM item WHERE value >= 0 ORDER BY name"
    )
    let observation = ValueObservation.tracking(request).changes(id: \.id).start(
      in: pool,
      onError: { fatalError("The observation failed: \($0)") },
      onChange: { _ in }
    )
    func change() throws {
      // The values of the other row say that no query needs it.
      let isRejected = id == rejected
      let counts: KeyPath<ObservationStatistics, Int> = isRejected ? \.foreignCommits : \.patches
      let before = pool.observationStatistics[keyPath: counts]
      try writer.execute("UPDATE item SET value = value + 1 WHERE id = \(id)")
      try doze("a patch", while: pool.observationStatistics[keyPath: counts] == before)
    }
    for _ in 0..<4 {
      try writer.execute("UPDATE item SET value = value + 1 WHERE id = \(id)")
      try pool.quiesce()
    }
    return Contest(
      ours: Side {
        // This thread is the other process, and waits.
        let start = Duration.processorTimeOfOtherThreads
        for _ in 0..<5 { try change() }
        return withExtendedLifetime(observation) {
          ((.processorTimeOfOtherThreads - start) / 5, 0)
        }
      },
      baseline: Side(work: { try pool.read { try request.fetchAll($0) } }, checksum: { _ in 0 })
    )
  }

  private static func transactionContest(in workspace: Workspace, rows: Int) throws -> Contest {
    let change = "UPDATE item SET value = value + 1"
    let request = SQLRequest<Int>(sql: "SELECT sum(value) FROM item")
    func open(_ name: String) throws -> (pool: DatabasePool, writer: RawConnection) {
      let path = try workspace.makeDatabase(name) { try fill($0, rows: rows) }
      return (try DatabasePool(benchmarking: path), try RawConnection(path: path))
    }
    let (observed, quiet) = (try open("observed"), try open("quiet"))
    let arrived = DispatchSemaphore(value: 0)
    let observation = ValueObservation.trackingOne(request).start(
      in: observed.pool,
      onError: { fatalError("The observation failed: \($0)") },
      onChange: { _ in arrived.signal() }
    )
    arrived.wait()
    func measure(_ body: () throws -> Void) throws -> (Duration, Int) {
      let start = Duration.processorTime
      try body()
      return (.processorTime - start, 0)
    }
    return Contest(
      ours: Side {
        try measure {
          try observed.writer.execute(change)
          guard arrived.wait(timeout: .now() + 60) == .success else {
            throw Overdue(what: "the value of an observation")
          }
          withExtendedLifetime(observation) {}
        }
      },
      baseline: Side {
        try measure {
          try quiet.writer.execute(change)
          _ = try quiet.pool.read { try request.fetchOne($0) }
        }
      }
    )
  }
}
