internal import Storage

/// The cost of starting and ending an observation.
enum StartingAndEnding {
  private static let observationCount = 10_000

  static let benchmarks = [
    Benchmark(
      .observe,
      "Start an observation, with its first value, and end it (C: a read transaction)",
      operations: observationCount,
      limit: 6,
      prepare: contest
    )
  ]

  @Sendable
  private static func contest(in workspace: Workspace) throws -> Contest {
    let ourPath = try workspace.makeDatabase("ours") { try $0.execute(Counter.creation) }
    let baselinePath = try workspace.makeDatabase("baseline") { try $0.execute(Counter.creation) }
    let pool = try DatabasePool(benchmarking: ourPath)
    let reader = try RawCounter(path: baselinePath)
    return Contest(
      ours: Side(work: { start(in: pool) }, checksum: { $0 }),
      baseline: Side(
        work: {
          var sum = 0
          for number in 0..<observationCount { sum += try reader.value(number % Counter.count) }
          return sum
        },
        checksum: { $0 }
      )
    )
  }

  /// Starts all observations, then ends them, and returns the sum of their first values.
  private static func start(in pool: DatabasePool) -> Int {
    nonisolated(unsafe) var sum = 0
    let observations = (0..<observationCount).map { number in
      let observation = ValueObservation.tracking { db in
        try Int.fetchOne(db, sql: Counter.selection, arguments: [number % Counter.count]) ?? 0
      }
      return observation.start(
        in: pool,
        scheduling: .immediate,
        onError: { fatalError("An observation failed: \($0)") },
        onChange: { sum += $0 }
      )
    }
    for observation in observations { observation.cancel() }
    return sum
  }
}
