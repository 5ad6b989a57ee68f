internal import Glibc
internal import Storage

/// The cost of the checks for foreign commits that an own commit causes.
enum OwnCommitLooks {
  static let benchmarks = [
    Benchmark(
      .foreign,
      "Own commit after a pause, with an observer, CPU (baseline: with none, and 250 µs)",
      operations: pausedCount,
      limit: 1,
      prepare: { try pauseContest(in: $0) }
    )
  ]

  /// How many own commits are made, each after a pause.
  private static let pausedCount = 10

  private static func pauseContest(in workspace: Workspace) throws -> Contest {
    func side(_ name: String, isObserved: Bool, beside allowance: Duration) throws -> Side {
      let path = try workspace.makeDatabase(name) { try ForeignRows.fill($0, rows: 1_000) }
      let pool = try DatabasePool(benchmarking: path)
      var observation: AnyDatabaseCancellable?
      if isObserved {
        observation = ValueObservation.tracking { try Int.fetchOne($0, sql: "SELECT 1 FROM other") }
          .start(
            in: pool,
            onError: { fatalError("The observation failed: \($0)") },
            onChange: { _ in }
          )
        try pool.quiesce()
      }
      return Side {
        usleep(1_500_000)
        let start = Duration.processorTime
        for _ in 0..<pausedCount {
          try pool.write { try $0.execute(sql: "UPDATE item SET value = value + 1 WHERE id = 7") }
          // The checks that the commit causes end before the next commit.
          usleep(150_000)
        }
        let duration = .processorTime - start + allowance * pausedCount
        return withExtendedLifetime(observation) { (duration, 0) }
      }
    }
    return Contest(
      ours: try side("observed", isObserved: true, beside: .zero),
      baseline: try side("quiet", isObserved: false, beside: .microseconds(250))
    )
  }
}
