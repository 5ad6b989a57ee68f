internal import Storage
internal import Synchronization

/// The cost of an instrument: both sides are this library, and the baseline has no instrument.
enum InstrumentedWrites {
  private static let ids = (0..<Counter.transactionCount).map { $0 % Counter.count }

  static let benchmarks = [
    Benchmark(
      .write,
      "Write one row in a transaction, with an instrument; the baseline has none",
      operations: Counter.transactionCount,
      limit: 1.02
    ) { workspace in
      var configuration = Configuration()
      configuration.instruments = [SlowStatementCount()]
      return Contest(
        ours: try writing(to: workspace.makeDatabase("ours", fill: fill), configuration),
        baseline: try writing(to: workspace.makeDatabase("baseline", fill: fill), Configuration())
      )
    }
  ]

  private static func fill(_ connection: RawConnection) throws {
    try connection.execute(Counter.creation)
  }

  private static func writing(to path: String, _ configuration: Configuration) throws -> Side {
    var configuration = configuration
    configuration.synchronous = .normal
    let pool = try DatabasePool(path: path, configuration: configuration)
    return Side(
      setUp: pool.emptyWAL,
      work: {
        for id in ids {
          try pool.write { try $0.execute(sql: Counter.increment, arguments: [1, id]) }
        }
      },
      checksum: pool.counterSum
    )
  }

  /// Counts slow statements, as a service does.
  private final class SlowStatementCount: DatabaseInstrument {
    let count = Atomic(0)

    func record(_ activity: DatabaseActivity) {
      if case .slowStatement = activity.kind { count.add(1, ordering: .relaxed) }
    }
  }
}
