internal import Storage

/// The cost of a changed row in a large observed result.
enum LargeResult {
  private static let rowCount = 100_000

  private struct Number: FetchableRecord, Equatable {
    let id: Int
    let value: Int

    init(row: Row) throws {
      id = row[0]
      value = row[1]
    }
  }

  static let benchmarks = [
    Benchmark(
      .observe,
      "Write one row of an observed result of 100,000, until it is delivered (C: ours, refetched)",
      limit: 1.3,
      prepare: contest
    )
  ]

  @Sendable
  private static func contest(in workspace: Workspace) throws -> Contest {
    let create: (RawConnection) throws -> Void = {
      try $0.execute(Numbers.creation(count: rowCount))
    }
    let observed = try DatabasePool(benchmarking: workspace.makeDatabase("observed", fill: create))
    let quiet = try DatabasePool(benchmarking: workspace.makeDatabase("quiet", fill: create))
    let last = rowCount - 1
    let fetch: @Sendable (Database) throws -> [Number] = { db in
      try Number.fetchAll(db, sql: "SELECT id, value FROM number ORDER BY id")
    }
    let write: (DatabasePool) throws -> Void = { pool in
      try pool.write { try $0.execute(sql: Numbers.increment, arguments: [last]) }
    }

    let arrivals = Arrivals()
    arrivals.expect(last)
    let cancellable = ValueObservation.tracking(fetch).start(
      in: observed,
      onError: { fatalError("The observation failed: \($0)") },
      onChange: { arrivals.record($0[last].value) }
    )
    _ = try arrivals.wait()
    var value = last
    let ours = Side {
      try observed.emptyWAL()
      value += 1
      arrivals.expect(value)
      let start = SuspendingClock.now
      try write(observed)
      let duration = try arrivals.wait() - start
      return withExtendedLifetime(cancellable) { (duration, value) }
    }
    let baseline = Side(
      setUp: quiet.emptyWAL,
      work: {
        try write(quiet)
        return try quiet.read(fetch)
      },
      checksum: { $0[last].value }
    )
    return Contest(ours: ours, baseline: baseline)
  }
}
