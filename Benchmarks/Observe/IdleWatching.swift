internal import Foundation
internal import Storage

/// The cost of watching for foreign commits while nothing happens.
enum IdleWatching {
  private static let fileCount = 4
  private static let time = Duration.seconds(2)
  /// The largest share of a core.
  private static let share = 0.004

  static let benchmarks = [
    Benchmark(
      .observe,
      "Processor time of watching four files for two seconds in which nothing happens (C: 0.4 % of a core)",
      limit: 1,
      prepare: contest
    )
  ]

  @Sendable
  private static func contest(in workspace: Workspace) throws -> Contest {
    var running: [AnyDatabaseCancellable] = []
    for number in 0..<fileCount {
      let path = try workspace.makeDatabase("idle\(number)") { try $0.execute(Counter.creation) }
      let pool = try DatabasePool(benchmarking: path)
      let arrivals = Arrivals()
      arrivals.expect(0)
      let observation = ValueObservation.tracking { db in
        try Int.fetchOne(db, sql: Counter.selection, arguments: [0]) ?? 0
      }
      running.append(
        observation.start(
          in: pool,
          onError: { fatalError("The observation failed: \($0)") },
          onChange: { arrivals.record($0) }
        )
      )
      _ = try arrivals.wait()
    }
    let ours = Side {
      _ = running
      let before = clock()
      Thread.sleep(forTimeInterval: time / .seconds(1))
      return (.seconds(Double(clock() - before) / Double(CLOCKS_PER_SEC)), 0)
    }
    return Contest(ours: ours, baseline: Side { (time * share, 0) })
  }
}
