internal import Dispatch
internal import Storage

/// The time until a thousand subscribers of one value have it.
enum SharedValue {
  private static let rowCount = 10_000
  private static let subscriberCount = 1000
  private static let writeCount = 10

  /// The request of all subscribers.
  private struct SumRequest: ObservationRequest {
    func fetch(_ db: Database) throws -> Int {
      try Int.fetchOne(db, sql: Numbers.sum) ?? 0
    }
  }

  static let benchmarks = [
    Benchmark(
      .observe,
      "Write one row, until 1,000 callbacks on one queue have the sum of 10,000 (C: one of each)",
      operations: writeCount,
      limit: 2.5,
      prepare: { try contest(in: $0, subscribe: startCallbacks) }
    ),
    Benchmark(
      .observe,
      "Write one row, until 1,000 loops have the sum of 10,000 (C: one of each)",
      operations: writeCount,
      limit: 6,
      prepare: { try contest(in: $0, subscribe: startLoops) }
    ),
  ]

  private static func contest(
    in workspace: Workspace,
    subscribe: (DatabasePool, Countdown) -> any Sendable
  ) throws -> Contest {
    let create: (RawConnection) throws -> Void = {
      try $0.execute(Numbers.creation(count: rowCount))
    }
    let pool = try DatabasePool(benchmarking: workspace.makeDatabase("ours", fill: create))
    let connection = try RawConnection(path: workspace.makeDatabase("baseline", fill: create))
    let increment = try connection.prepare("UPDATE number SET value = value + 1 WHERE id = 0")
    let countdown = Countdown(subscriberCount)
    var sum = rowCount * (rowCount - 1) / 2
    countdown.expect(sum)
    let subscriptions = subscribe(pool, countdown)
    try countdown.wait()
    let ours = Side(
      setUp: pool.emptyWAL,
      work: {
        for _ in 0..<writeCount {
          sum += 1
          countdown.expect(sum)
          try pool.write { try $0.execute(sql: Numbers.increment, arguments: [0]) }
          try countdown.wait()
        }
        return withExtendedLifetime(subscriptions) { sum }
      },
      checksum: { $0 }
    )
    let baseline = Side(
      setUp: { try connection.execute(RawConnection.emptyingWAL) },
      work: {
        var sum = 0
        for _ in 0..<writeCount {
          try connection.run(increment)
          sum = try connection.integer(Numbers.sum)
        }
        return sum
      },
      checksum: { $0 }
    )
    return Contest(ours: ours, baseline: baseline)
  }

  private static func startCallbacks(_ pool: DatabasePool, _ countdown: Countdown) -> any Sendable {
    let queue = DispatchQueue(label: "callbacks")
    return (0..<subscriberCount).map { _ in
      ValueObservation.tracking(SumRequest()).start(
        in: pool,
        scheduling: .async(onQueue: queue),
        onError: { fatalError("An observation failed: \($0)") },
        onChange: { countdown.record($0) }
      )
    }
  }

  private static func startLoops(_ pool: DatabasePool, _ countdown: Countdown) -> any Sendable {
    let tasks = (0..<subscriberCount).map { _ in
      Task.detached {
        for try await sum in ValueObservation.tracking(SumRequest()).values(in: pool) {
          countdown.record(sum)
        }
      }
    }
    return AnyDatabaseCancellable { for task in tasks { task.cancel() } }
  }
}
