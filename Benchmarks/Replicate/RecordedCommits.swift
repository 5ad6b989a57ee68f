internal import Recording
internal import Replication
internal import Storage

/// The cost of recording a transaction, and of repeating it on a copy. Both sides are this library.
enum RecordedCommits {
  /// A recorded transaction writes two pages, the second one for its outbox row. So these
  /// transactions also write fewer than the pages after which SQLite runs a checkpoint.
  private static let transactionCount = Counter.transactionCount / 2

  private static let ids = (0..<transactionCount).map { $0 % Counter.count }

  /// How many transactions an entry of the log holds when writers are busy.
  private static let packSize = 16

  static let benchmarks = [
    Benchmark(
      .replicate,
      "Write one row in a transaction, recorded, with its outbox row; the baseline is not recorded",
      operations: transactionCount,
      limit: 1.9
    ) { workspace in
      let ours = try DatabasePool(benchmarking: workspace.makeDatabase("ours", fill: fill))
      let outbox = try Outbox(in: ours)
      let baseline = try DatabasePool(benchmarking: workspace.makeDatabase("plain", fill: fill))
      return Contest(
        ours: Side(
          setUp: {
            try outbox.empty()
            try ours.emptyWAL()
          },
          work: { try write(ours) },
          checksum: ours.counterSum
        ),
        baseline: Side(
          setUp: baseline.emptyWAL,
          work: { try write(baseline) },
          checksum: baseline.counterSum
        )
      )
    },
    Benchmark(
      .replicate,
      "Repeat recorded transactions of one row, packed; the baseline writes and records them",
      operations: transactionCount,
      limit: 0.5
    ) { workspace in
      let ours = try DatabasePool(benchmarking: workspace.makeDatabase("copy", fill: fill))
      let baseline = try DatabasePool(benchmarking: workspace.makeDatabase("primary", fill: fill))
      let outbox = try Outbox(in: baseline)
      // A transaction says the new value, so that the copy must be repeated from the same state.
      let source = try DatabasePool(benchmarking: workspace.makeDatabase("source", fill: fill))
      let bodies = try Outbox(in: source)
      return Contest(
        ours: Side(
          setUp: {
            bodies.forget()
            try bodies.empty()
            try write(source)
            try ours.emptyWAL()
          },
          work: { try repeatAll(bodies.bodies, in: ours) },
          checksum: ours.counterSum
        ),
        baseline: Side(
          setUp: {
            try outbox.empty()
            try baseline.emptyWAL()
          },
          work: { try write(baseline) },
          checksum: baseline.counterSum
        )
      )
    },
  ]

  private static func fill(_ connection: RawConnection) throws {
    try connection.execute(Counter.creation)
  }

  private static func write(_ pool: DatabasePool) throws {
    for id in ids {
      try pool.write { try $0.execute(sql: Counter.increment, arguments: [1, id]) }
    }
  }

  private static func repeatAll(_ bodies: [[UInt8]], in pool: DatabasePool) throws {
    for start in stride(from: 0, to: bodies.count, by: packSize) {
      let pack = bodies[start..<min(start + packSize, bodies.count)]
      try pool.write { db in
        try Applier().apply(pack.map { try RecordedTransaction(decoding: $0) }, in: db)
      }
    }
  }
}
