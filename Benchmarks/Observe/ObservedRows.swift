internal import Storage

/// The time of one commit that touches many observations, until the last callback.
enum ObservedRows {
  private static let rowCount = 100_000
  private static let bound = Duration.microseconds(10)
  /// The same for all rows, which begin with their ids as values.
  private static let query = "SELECT value - id FROM number WHERE id = ?"

  static let benchmarks = [
    Benchmark(
      .observe,
      "Commit to 100,000 rows, each observed alone, until the last callback (C: 10 µs each)",
      operations: rowCount,
      limit: 1,
      prepare: contest
    )
  ]

  @Sendable
  private static func contest(in workspace: Workspace) throws -> Contest {
    let path = try workspace.makeDatabase("ours") {
      try $0.execute(Numbers.creation(count: rowCount))
    }
    let pool = try DatabasePool(benchmarking: path)
    let countdown = Countdown(rowCount)
    countdown.expect(0)
    let observations = (0..<rowCount).map { row in
      ValueObservation.tracking { db in
        try Int.fetchOne(db, sql: query, arguments: [row]) ?? 0
      }.start(
        in: pool,
        onError: { fatalError("An observation failed: \($0)") },
        onChange: { countdown.record($0) }
      )
    }
    try countdown.wait(within: 120)
    var commits = 0
    let ours = Side(
      setUp: pool.emptyWAL,
      work: {
        commits += 1
        countdown.expect(commits)
        try pool.write { try $0.execute(sql: "UPDATE number SET value = value + 1") }
        try countdown.wait(within: 120)
      },
      checksum: { withExtendedLifetime(observations) { 0 } }
    )
    return Contest(ours: ours, baseline: Side { (bound * rowCount, 0) })
  }
}
