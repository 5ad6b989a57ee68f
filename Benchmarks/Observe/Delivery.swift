internal import Dispatch
internal import Storage

/// The time from a write until an observer has its value.
enum Delivery {
  static let benchmarks = [
    Benchmark(
      .observe,
      "Write one row, until the callback of one observer on another dispatch queue",
      operations: Counter.transactionCount,
      limit: 4,
      prepare: contest
    )
  ]

  /// Creates a contest whose baseline writes, and reads the value on a second connection, on one
  /// thread.
  @Sendable
  private static func contest(in workspace: Workspace) throws -> Contest {
    let ourPath = try workspace.makeDatabase("ours") { try $0.execute(Counter.creation) }
    let baselinePath = try workspace.makeDatabase("baseline") { try $0.execute(Counter.creation) }
    let ours = try ourSide(DatabasePool(benchmarking: ourPath))
    let writer = try RawCounter(path: baselinePath)
    let reader = try RawCounter(path: baselinePath)
    let baseline = Side(
      setUp: writer.emptyWAL,
      work: {
        var sum = 0
        for _ in 0..<Counter.transactionCount {
          try writer.increment(0, by: 1)
          sum += try reader.value(0)
        }
        return sum
      },
      checksum: { $0 }
    )
    return Contest(ours: ours, baseline: baseline)
  }

  private static func ourSide(_ pool: DatabasePool) throws -> Side {
    let arrivals = Arrivals()
    arrivals.expect(0)
    let observation = ValueObservation.tracking { db in
      try Int.fetchOne(db, sql: Counter.selection, arguments: [0]) ?? 0
    }
    let cancellable = observation.start(
      in: pool,
      scheduling: .async(onQueue: DispatchQueue(label: "callbacks")),
      onError: { fatalError("The observation failed: \($0)") },
      onChange: { arrivals.record($0) }
    )
    _ = try arrivals.wait()
    var value = 0
    return Side {
      try pool.emptyWAL()
      var sum = 0
      var total = Duration.zero
      for _ in 0..<Counter.transactionCount {
        value += 1
        arrivals.expect(value)
        let start = SuspendingClock.now
        try pool.write { try $0.execute(sql: Counter.increment, arguments: [1, 0]) }
        total += try arrivals.wait() - start
        sum += value
      }
      return withExtendedLifetime(cancellable) { (total, sum) }
    }
  }
}
