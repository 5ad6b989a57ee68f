internal import Storage

/// Transactions with minimal work, which show the overhead of a transaction.
enum OneRowTransactions {
  private static let ids = (0..<Counter.transactionCount).map { $0 % Counter.count }

  static let benchmarks = [
    Benchmark(
      .write,
      "Write one row in a transaction, sync",
      operations: Counter.transactionCount,
      limit: 1.4
    ) { workspace in
      try writing(in: workspace) { pool in
        for id in ids {
          try pool.write { try $0.execute(sql: Counter.increment, arguments: [1, id]) }
        }
      }
    },
    Benchmark(
      .write,
      "Write one row in a transaction, async, on one core",
      operations: Counter.transactionCount,
      limit: 2.2,
      isOnOneCore: true
    ) { workspace in
      try writing(in: workspace) { pool in
        try waiting {
          for id in ids {
            try await pool.write { try $0.execute(sql: Counter.increment, arguments: [1, id]) }
          }
        }
      }
    },
    Benchmark(
      .write,
      "Read one row in a transaction, sync",
      operations: Counter.transactionCount,
      limit: 1.5,
      prepare: reading
    ),
  ]

  private static func writing(
    in workspace: Workspace,
    ours: @escaping (DatabasePool) throws -> Void
  ) throws -> Contest {
    let ourPath = try workspace.makeDatabase("ours") { try $0.execute(Counter.creation) }
    let baselinePath = try workspace.makeDatabase("baseline") { try $0.execute(Counter.creation) }
    let pool = try DatabasePool(benchmarking: ourPath)
    let counter = try RawCounter(path: baselinePath)
    return Contest(
      ours: Side(setUp: pool.emptyWAL, work: { try ours(pool) }, checksum: pool.counterSum),
      baseline: Side(
        setUp: counter.emptyWAL,
        work: { for id in ids { try counter.increment(id, by: 1) } },
        checksum: counter.sum
      )
    )
  }

  @Sendable
  private static func reading(in workspace: Workspace) throws -> Contest {
    let path = try workspace.makeDatabase("counter") { try $0.execute(Counter.creation) }
    let pool = try DatabasePool(benchmarking: path)
    let counter = try RawCounter(path: path)
    return Contest(
      ours: Side {
        var sum = 0
        for id in ids {
          sum += try pool.read {
            try Int.fetchOne($0, sql: Counter.selection, arguments: [id]) ?? 0
          }
        }
        return sum
      },
      baseline: Side {
        var sum = 0
        for id in ids { sum += try counter.value(id) }
        return sum
      }
    )
  }
}
